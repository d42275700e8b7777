import type { Problem } from "../lib/api";
import { clock } from "../lib/format";
import { asleep } from "../lib/store";
import { Copy } from "./Copy";

/** A hint that names a command offers it to be copied, in its place. */
function Hint({ text }: { text: string }) {
  if (text.startsWith("engram ")) return <li><Copy text={text} /></li>;
  return <li>{text.split("`").map((part, at) => (at % 2 ? <Copy key={at} text={part} /> : <span key={at}>{part}</span>))}</li>;
}

/** That nobody answers is told once, for the whole window. */
export const isTold = (problem: Problem | undefined): boolean => problem?.status === 0 && asleep.value !== undefined;

/** What is shown is from before: since when nobody knows whether it is still so. */
export function AsItWas({ at }: { at?: number }) {
  return at === undefined ? null : <span class="as-was">as it was at {clock(new Date(at).toISOString())}</span>;
}

export function Trouble({ problem, again, small }: { problem: Problem; again?: () => void; small?: boolean }) {
  if (isTold(problem)) return null;
  return (
    <div class={`trouble${small ? " small" : ""}`} role="alert">
      <p>
        <strong>{problem.status === 0 ? "Nobody answers. " : problem.status === 404 ? "Not found. " : "That did not work. "}</strong>
        {problem.detail}
      </p>
      {problem.hints.length > 0 && (
        <ul>
          {problem.hints.map((hint) => (
            <Hint text={hint} key={hint} />
          ))}
        </ul>
      )}
      {again && (
        <button onClick={again} type="button">
          try again
        </button>
      )}
    </div>
  );
}
