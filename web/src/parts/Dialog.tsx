import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { inRow, moveRow, useKeys } from "../lib/keys";
import { Icon } from "./icons";

/** A dialog over the page; Escape closes it, and the focus goes back to who opened it. */
export function Dialog({ title, close, children, wide }: { title: string; close: () => void; children: ComponentChildren; wide?: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useKeys(
    [
      { key: "Escape", run: close },
      ...[["j", 1], ["ArrowDown", 1], ["k", -1], ["ArrowUp", -1]].map(([key, by]) => ({ key: String(key), when: inRow, run: () => moveRow(Number(by)) })),
    ],
    { modal: true, title },
  );
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    (dialog.current?.querySelector<HTMLElement>("[data-first]") ?? dialog.current?.querySelector<HTMLElement>("h2"))?.focus();
    return () => opener?.isConnected && opener.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="dialog-box">
        <div class="dialog-head">
          <h2 id={id} tabIndex={-1}>{title}</h2>
          <button class="plain" type="button" aria-label="close" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
