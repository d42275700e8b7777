import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { readOnly } from "../lib/store";
import { complain } from "../parts/Toast";

export interface ActProps {
  /** May fail: then that is said, and nothing else happens. */
  run: () => unknown | Promise<unknown>;
  children: ComponentChildren;
  class?: string;
  title?: string;
  disabled?: boolean;
  /** It only looks: it works with a reader's key as well. */
  looks?: boolean;
  label?: string;
}

/** Does something and says when that did not work. Greyed while it is done, and for who may only look. */
export function act(run: ActProps["run"]): Promise<void> {
  return Promise.resolve().then(run).then(() => undefined, complain);
}

export function Act({ run, children, class: kind, title, disabled, looks, label }: ActProps) {
  const [busy, setBusy] = useState(false);
  const kept = !looks && readOnly.value;
  const press = async () => {
    setBusy(true);
    await act(run);
    setBusy(false);
  };
  return (
    <button
      type="button" class={kind} disabled={busy || disabled || kept} aria-label={label}
      title={kept ? "this window may look and change nothing" : title} onClick={() => void press()}
    >
      {children}
    </button>
  );
}
