import type { ComponentChildren } from "preact";
import { Copy } from "./Copy";

/** What would be here, and the one command that fills it, or what else may be tried. */
export function Empty({ text, command, actions }: { text: string; command?: string; actions?: ComponentChildren }) {
  return (
    <div class="empty">
      <svg width="64" height="32" viewBox="0 0 64 32" aria-hidden="true">
        <path d="M3 22C11 2 17 2 23 16s12 14 18 2 10-14 20-4" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-dasharray="1 5" />
      </svg>
      <p>{text}</p>
      {command && <Copy text={command} />}
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}
