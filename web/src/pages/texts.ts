// The texts of memories that a report names by their identifiers alone. Each is
// asked for once, four at a time, and only if it is shown.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Inspected } from "../shapes";
import { api } from "../lib/api";
import { project } from "../lib/store";
import { headline } from "../parts/MemoryLine";

const AT_ONCE = 4;
const known = signal<ReadonlyMap<string, string>>(new Map());
const waiting: string[] = [];
const asked = new Set<string>();
let running = 0;
let of = "";

async function next(): Promise<void> {
  const id = waiting.shift();
  if (id === undefined) return;
  running++;
  let text = "";
  try {
    const { memory } = await api.get<Inspected>(`/memories/${id}`);
    text = headline(memory) || "its text is gone";
  } catch {
    text = "";
  }
  running--;
  if (asked.has(id)) known.value = new Map(known.value).set(id, text);
  void next();
}

/** Whether one identifier was minted before another: the first ten letters tell the time. */
export const isOlder = (id: string, than: string): boolean => id.slice(0, 10) < than.slice(0, 10);

/**
 * What a memory says in one line; undefined until that is known, empty if nobody
 * knows. With `than` asked only of what was there before it: what a dream makes
 * is not there while it is only planned, nor after it was taken back.
 */
export function useText(of_id: string | undefined, than?: string): string | undefined {
  const id = of_id && (than === undefined || isOlder(of_id, than)) ? of_id : undefined;
  useEffect(() => {
    if (of !== project.value) {
      of = project.value;
      asked.clear();
      waiting.length = 0;
      known.value = new Map();
    }
    if (!id || asked.has(id)) return;
    asked.add(id);
    waiting.push(id);
    if (running < AT_ONCE) void next();
  }, [id]);
  return id ? known.value.get(id) : undefined;
}
