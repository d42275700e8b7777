// Light, dark, or as the system says. `boot.ts` sets it before the first paint;
// here it is changed.

import { signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";
export const KEPT = "engram.theme";

export const theme = signal<Theme>(read());

function read(): Theme {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === "light" || kept === "dark" ? kept : "auto";
  } catch {
    return "auto";
  }
}

export function setTheme(next: Theme): void {
  theme.value = next;
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    if (next === "auto") localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, next);
  } catch {
    // A browser that keeps nothing still shows what was chosen.
  }
}

export function nextTheme(): Theme {
  const order: Theme[] = ["auto", "light", "dark"];
  const next = order[(order.indexOf(theme.value) + 1) % order.length];
  setTheme(next);
  return next;
}
