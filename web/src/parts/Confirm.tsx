import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./Dialog";

export interface ConfirmProps {
  title: string;
  /** The word on the button that does it. */
  does: string;
  /** It takes something away. */
  danger?: boolean;
  run: () => void | Promise<unknown>;
  close: () => void;
  children?: ComponentChildren;
}

/** Asks before something that touches much. */
export function Confirm({ title, does, danger, run, close, children }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    await run();
    close();
  };
  return (
    <Dialog title={title} close={close}>
      <div class="dialog-text">{children}</div>
      <footer>
        <button type="button" onClick={close}>
          cancel
        </button>
        <button type="button" data-first class={danger ? "danger" : "primary"} disabled={busy} onClick={() => void act()}>
          {does}
        </button>
      </footer>
    </Dialog>
  );
}
