import type { ComponentChildren } from "preact";

/** A switch in the shape of a word. */
export function Chip({ on, press, children, count, disabled, title }: { on: boolean; press: () => void; children: ComponentChildren; count?: number; disabled?: boolean; title?: string }) {
  return (
    <button type="button" class="chip" aria-pressed={on} onClick={press} disabled={disabled} title={title}>
      {on && <span aria-hidden="true">✓ </span>}
      {children}
      {count !== undefined && <span class="count">{count}</span>}
    </button>
  );
}

/** A word that says what something is; not pressed. */
export function Word({ children, tone = "plain", title }: { children: ComponentChildren; tone?: string; title?: string }) {
  return (
    <span class={`word tone-${tone}`} title={title}>
      {children}
    </span>
  );
}
