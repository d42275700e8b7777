import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Answer } from "../lib/api";
import { asleep } from "../lib/store";
import { AsItWas, isTold, Trouble } from "./Trouble";
import { Waiting } from "./Waiting";

export interface CardProps {
  title?: string;
  /** At the right of the title. */
  actions?: ComponentChildren;
  /** A part of a page that has its own state. */
  state?: Answer<unknown>;
  rows?: number;
  class?: string;
  children?: ComponentChildren;
}

export function Card({ title, actions, state, rows = 2, class: more = "", children }: CardProps) {
  const id = useId();
  const waits = state && state.data === undefined;
  const old = state && !waits && asleep.value !== undefined;
  return (
    <section class={`card ${more}`} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header>
          {title && <h2 id={id}>{title}</h2>}
          {old && <AsItWas at={state.at} />}
          {actions && <div class="actions">{actions}</div>}
        </header>
      )}
      {state?.problem && <Trouble problem={state.problem} again={state.again} small />}
      {waits ? state.problem ? isTold(state.problem) && <p class="quiet">Nobody answers.</p> : <Waiting rows={rows} height={32} /> : children}
    </section>
  );
}
