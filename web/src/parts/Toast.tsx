import { signal } from "@preact/signals";
import type { Undone } from "../shapes";
import { api, did, Problem } from "../lib/api";
import { corrections, go, lastDone, memoryHref, route } from "../lib/store";
import { Icon } from "./icons";

interface Toasted { id: number; text: string; undo?: string; bad?: boolean }
const shown = signal<Toasted[]>([]);
let last = 0;

function show(one: Omit<Toasted, "id">, lasts: number): void {
  const id = ++last;
  shown.value = [...shown.value.slice(-2), { ...one, id }];
  setTimeout(() => (shown.value = shown.value.filter((other) => other.id !== id)), lasts);
}

/** Says what was done; with an operation it can be taken back, by the button or by `z`. */
export function toast(text: string, undo?: string): void {
  if (undo) did(text, undo);
  show({ text, undo }, 8000);
}

/** Says what did not work. */
export function complain(problem: unknown): void {
  const text = problem instanceof Problem ? [problem.detail, ...problem.hints].join(" · ") : String(problem);
  show({ text, bad: true }, 12000);
}

/** Takes an operation back by its identifier, never "the latest". */
export async function undo(operation: string, step?: string): Promise<Undone | undefined> {
  try {
    const reply = await api.change<Undone>("POST", "/undo", { target: operation, ...(step ? { step } : {}) }, () => leave(operation));
    if (lastDone.value?.operation === operation) lastDone.value = undefined;
    shown.value = shown.value.filter((one) => one.undo !== operation);
    toast("Taken back");
    return reply;
  } catch (problem) {
    complain(problem);
    return undefined;
  }
}

/** The page of a memory that is gone with its correction gives way to that of the one before. */
function leave(operation: string): void {
  const correction = corrections.get(operation);
  const { path } = route.peek();
  if (correction && path[0] === "memory" && path[1] === correction.newer) go(memoryHref(correction.older), true);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map((one) => (
        <div class={`toast${one.bad ? " bad" : ""}`} key={one.id}>
          <span>{one.text}</span>
          {one.undo && (
            <button class="link" onClick={() => void undo(one.undo as string)}>
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
