import { signal } from "@preact/signals";
import type { Undone } from "../shapes";
import { api, Problem, type Query } from "../lib/api";
import { sessionIn } from "../lib/question";
import { corrections, go, lastDone, memoryHref, project, route, type Done } from "../lib/store";
import { Icon } from "./icons";

interface Toasted { id: number; text: string; undo?: Done; bad?: boolean }
const shown = signal<Toasted[]>([]);
let last = 0;

function show(one: Omit<Toasted, "id">, lasts: number): void {
  const id = ++last;
  shown.value = [...shown.value.slice(-2), { ...one, id }];
  setTimeout(() => (shown.value = shown.value.filter((other) => other.id !== id)), lasts);
}

/** Says what was done; with its operation, or one in each store, it can be taken back, by the button or by `z`. */
export function toast(text: string, operation?: string | string[], query: Query = {}): void {
  const operations = operation === undefined ? [] : [operation].flat();
  const undo = operations.length ? { operations, query: { project: project.peek(), ...query } } : undefined;
  if (undo) lastDone.value = undo;
  show({ text, undo }, 8000);
}

/** Says what did not work. */
export function complain(problem: unknown): void {
  const text = problem instanceof Problem ? [problem.detail, ...problem.hints].join(" · ") : String(problem);
  show({ text, bad: true }, 12000);
}

/** Takes an operation back by its identifier, never "the latest"; of a dream also one step. */
export function undo(operation: string, { step, query = {} }: { step?: string; query?: Query } = {}): Promise<void> {
  return takeBack({ operations: [operation], query }, step);
}

/** Takes back what was done last in this tab. */
export async function undoLast(): Promise<void> {
  if (lastDone.value) await takeBack(lastDone.value);
  else toast(lastDone.value === null ? "Nothing is left to take back" : "Nothing was done here yet");
}

async function takeBack({ operations, query }: Done, step?: string): Promise<void> {
  try {
    for (const operation of operations) {
      await api.change<Undone>("POST", "/undo", { target: operation, ...(step ? { step } : {}) }, query, () => leave(operation));
      // What a second try finds is only what the first one left.
      if (!step) forget(operation);
    }
    toast("Taken back");
  } catch (problem) {
    complain(problem);
  }
}

/** An operation that was taken back is not offered again. */
function forget(operation: string): void {
  const without = (done: Done): Done | undefined => {
    const operations = done.operations.filter((one) => one !== operation);
    return operations.length ? { ...done, operations } : undefined;
  };
  if (lastDone.value?.operations.includes(operation)) lastDone.value = without(lastDone.value) ?? null;
  shown.value = shown.value.flatMap((one) => {
    if (!one.undo?.operations.includes(operation)) return [one];
    const undo = without(one.undo);
    return undo ? [{ ...one, undo }] : [];
  });
}

/** The page of a memory that is gone with its correction gives way to that of the one before. */
function leave(operation: string): void {
  const correction = corrections.get(operation);
  const { path, query } = route.peek();
  if (correction && path[0] === "memory" && path[1] === correction.newer) go(memoryHref(correction.older, sessionIn(query)), true);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((one) => (
        <div class={`toast${one.bad ? " bad" : ""}`} key={one.id}>
          <span>{one.text}</span>
          {one.undo && (
            <button class="link" onClick={() => void takeBack(one.undo as Done)}>
              undo <kbd>z</kbd>
            </button>
          )}
          <button class="plain" aria-label="close" onClick={() => (shown.value = shown.value.filter((other) => other !== one))}>
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
