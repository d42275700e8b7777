// Says when something that is worth reading was painted; the tests of speed look for it.

const done = new Set<string>();

export function painted(name: string): void {
  if (done.has(name)) return;
  done.add(name);
  requestAnimationFrame(() => requestAnimationFrame(() => performance.mark(name)));
}
