// What the whole window shares: where one is, the key, the project, whether the
// daemon is there. Signals; no page has a copy.

import { computed, signal } from "@preact/signals";
import { kept, parseRoute, PROJECT, queryText, TOKEN, type Query, type Route } from "./address";
import type { Activity, WindowReply } from "../shapes";
export { parseRoute, queryText, type Query, type Route } from "./address";

function keep(name: string, value: string): void {
  try {
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
  } catch {
    // It lives as long as the tab does not load anew.
  }
}

/** Empty: this tab has no key, and the Key page is shown. */
export const token = signal(kept(TOKEN));
export function setToken(value: string): void {
  keep(TOKEN, value);
  token.value = value;
}

/** A project key; empty: only what is the user's own. */
export const project = signal(kept(PROJECT));
export function setProject(key: string): void {
  if (key === project.peek()) return;
  keep(PROJECT, key);
  project.value = key;
  answers.clear();
  // A memory of the project before is none of this one.
  lastMemory.value = "";
  if (route.peek().path[0] === "memory") go(href("memory"), true);
}

/** What the daemon says of the window itself. */
export const served = signal<WindowReply | undefined>(undefined);
/** This key may look and change nothing. */
export const readOnly = computed(() => served.value?.read_only ?? false);

/** The daemon does not answer; when the next try is made. Whatever is shown meanwhile is as it was. */
export const asleep = signal<{ nextAt: number } | undefined>(undefined);
/** Grows when everything shown should be asked for again. */
export const stale = signal(0);

/** The latest events, newest first. */
export const feed = signal<Activity[]>([]);
/** How the stream is. */
export const stream = signal<"off" | "opening" | "open" | "paused" | "broken">("off");

/** Something that was done: one operation, or one in each store, and of which project and session. */
export interface Done { operations: string[]; query: Query }
/** What this tab did last, which `z` takes back; null: that was taken back already. */
export const lastDone = signal<Done | null | undefined>(undefined);
/** Corrections of this tab, by their operation: which memory took the place of which. */
export const corrections = new Map<string, { newer: string; older: string }>();
/** The address of the memory that was looked at last. */
export const lastMemory = signal("");

/** The latest answers by address and when they came, so that going back paints at once. */
export const answers = new Map<string, { data: unknown; at: number }>();

/** The address of a page: `href("memory/01…")`, `href("search", { q })`. */
export function href(path: string, query: Query = {}): string {
  const text = queryText(query);
  return `#/${path}${text ? `?${text}` : ""}`;
}

/** A memory of a session is found only where the session is named, too. */
export const memoryHref = (id: string, session?: string): string => href(`memory/${id}`, { session });

export const route = signal<Route>(parseRoute(typeof location === "undefined" ? "" : location.hash));

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  route.value = parseRoute(to);
}
