// Keys: whoever is shown says which it has; the last one shown is asked first.
// Nothing is done while somebody types.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface KeyOf {
  /** As the browser names it ("j", "Enter", "Delete", "ArrowDown"), or "g n" for two in a row. */
  key: string;
  /** For the list of keys; without one it is not listed. */
  label?: string;
  run: (event: KeyboardEvent) => void;
  /** Otherwise the key is left to the browser. */
  when?: (event: KeyboardEvent) => boolean;
}

interface Layer { keys: KeyOf[]; /** Nothing below is asked. */ modal: boolean; title: string }
const layers = signal<Layer[]>([]);
let first = "";
let firstAt = 0;

/** Announces keys for as long as the part is shown. */
export function useKeys(keys: KeyOf[], { modal = false, title = "" } = {}): void {
  const layer = useRef<Layer>({ keys, modal, title });
  layer.current.keys = keys;
  useEffect(() => {
    const mine = layer.current;
    layers.value = [...layers.value, mine];
    return () => {
      layers.value = layers.value.filter((one) => one !== mine);
    };
  }, []);
}

/** What can be pressed now, by who offers it, for `?`. */
export function listed(): { title: string; keys: { key: string; label: string }[] }[] {
  const told = layers.value.map(({ title, keys }) => ({ title, keys: keys.flatMap(({ key, label }) => (label ? [{ key, label }] : [])) }));
  return told.filter(({ keys }) => keys.length).reverse();
}

export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (!element?.tagName) return false;
  if (element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "SELECT") return true;
  return element.tagName === "INPUT" && !["checkbox", "radio", "button", "range", "submit"].includes((element as HTMLInputElement).type);
}

/** Which of these a key is for; two in a row are told by what came before. */
export function chosen(keys: KeyOf[], key: string, before: string): KeyOf | undefined {
  return keys.find((one) => one.key === (before ? `${before} ${key}` : key));
}

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) && event.key !== "Escape") return;
  const before = Date.now() - firstAt < 1200 ? first : "";
  first = "";
  for (const layer of [...layers.value].reverse()) {
    const found = chosen(layer.keys, event.key, before);
    if (found?.when && !found.when(event)) return;
    if (found) {
      event.preventDefault();
      found.run(event);
      return;
    }
    if (!before && layer.keys.some((one) => one.key.startsWith(`${event.key} `))) {
      first = event.key;
      firstAt = Date.now();
      return;
    }
    if (layer.modal) return;
  }
}

/** Moves the focus among the rows of the page: elements with `data-row`. */
export function moveRow(by: number): void {
  const within = document.querySelector("dialog[open]") ? "dialog[open]" : "main";
  const rows = [...document.querySelectorAll<HTMLElement>(`${within} [data-row]`)].filter((row) => row.offsetParent !== null);
  if (!rows.length) return;
  const now = document.activeElement?.closest<HTMLElement>("[data-row]");
  const at = now ? rows.indexOf(now) : -1;
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.max(0, Math.min(rows.length - 1, at + by));
  rows[next].focus();
  rows[next].scrollIntoView({ block: "nearest" });
}

/** Arrows are the rows' only where one has the focus; elsewhere they scroll. */
export const inRow = (event: KeyboardEvent): boolean => Boolean((event.target as HTMLElement | null)?.closest?.("[data-row]"));

/** Of the rows in one list only the one that was last on is reached by Tab. */
function rove(event: FocusEvent): void {
  const row = (event.target as HTMLElement | null)?.closest?.<HTMLElement>("[data-row]");
  const list = row?.closest("[data-rows]");
  if (!row || !list) return;
  for (const other of list.querySelectorAll<HTMLElement>("[data-row]")) other.tabIndex = other === row ? 0 : -1;
}

/** The row that was opened from this page, by a key or by a pointer. The entry of the history keeps it for who comes back. */
export const leftAt = () => history.state as { row: string; byKey: boolean } | null;

function note(event: MouseEvent): void {
  const row = (event.target as HTMLElement | null)?.closest?.("main a[data-row]")?.getAttribute("href");
  if (row && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey) history.replaceState({ row, byKey: event.detail === 0 }, "");
}

/** So long the way back waits for what the page shows. */
const COMES = 3000;

/** Whoever comes back stands on the row that he left, as soon as it is there and unless he goes on meanwhile. */
export function comeBack(): void {
  const left = leftAt(), until = Date.now() + COMES;
  // Who points does not look for the focus, and it would hold the feed.
  if (!left?.byKey) return;
  let moved = false;
  const stop = () => (moved = true);
  addEventListener("keydown", stop, { once: true });
  addEventListener("pointerdown", stop, { once: true });
  const look = () => {
    if (moved || leftAt()?.row !== left.row) return;
    const found = [...document.querySelectorAll<HTMLElement>("main a[data-row]")].find((one) => one.getAttribute("href") === left.row);
    if (found) found.focus();
    else if (Date.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** To be called once. */
export function watchKeys(): void {
  addEventListener("keydown", pressed);
  addEventListener("click", note);
  addEventListener("focusin", rove);
}
