// Which words differ between two texts: the longest common run of words, and
// what is left over on each side. Pure.

export interface Part { side: "same" | "older" | "newer"; text: string }

/** Beyond so many words of both a line by line comparison would cost too much. */
const MOST = 1_500_000;

const cut = (text: string): string[] => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

export function differ(older: string, newer: string): Part[] {
  const a = cut(older), b = cut(newer);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return tidied([{ side: "same", text: a.slice(0, head).join("") }, ...middle, { side: "same", text: tail ? a.slice(-tail).join("") : "" }]);
}

function between(a: string[], b: string[]): Part[] {
  if (a.length * b.length > MOST) return [{ side: "older", text: a.join("") }, { side: "newer", text: b.join("") }];
  const wide = b.length + 1;
  const run = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      run[i * wide + j] = a[i] === b[j] ? run[(i + 1) * wide + j + 1] + 1 : Math.max(run[(i + 1) * wide + j], run[i * wide + j + 1]);
    }
  }
  const parts: Part[] = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) parts.push({ side: "same", text: a[i++] }), j++;
    else if (j >= b.length || (i < a.length && run[(i + 1) * wide + j] >= run[i * wide + j + 1])) parts.push({ side: "older", text: a[i++] });
    else parts.push({ side: "newer", text: b[j++] });
  }
  return parts;
}

/** A lone space between two changes belongs to them; what went comes before what came. */
function tidied(parts: Part[]): Part[] {
  const out: Part[] = [];
  let went = "", came = "";
  const flush = () => {
    if (went) out.push({ side: "older", text: went });
    if (came) out.push({ side: "newer", text: came });
    went = came = "";
  };
  parts.forEach((part, at) => {
    if (part.side === "older") went += part.text;
    else if (part.side === "newer") came += part.text;
    else if (part.text) {
      const changes = (went || came) && parts.slice(at + 1).find((one) => one.text)?.side !== "same" && at < parts.length - 1;
      if (/^\s+$/.test(part.text) && changes) {
        went += part.text;
        came += part.text;
        return;
      }
      flush();
      const last = out.at(-1);
      if (last?.side === "same") last.text += part.text;
      else out.push({ side: "same", text: part.text });
    }
  });
  flush();
  return out;
}
