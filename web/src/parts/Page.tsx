import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Answer } from "../lib/api";
import { useKeys, type KeyOf } from "../lib/keys";
import { Empty } from "./Empty";
import { asleep } from "../lib/store";
import { AsItWas, isTold, Trouble } from "./Trouble";
import { Waiting } from "./Waiting";

export interface PageProps {
  title: string;
  /** One line below the title. */
  lead?: ComponentChildren;
  /** Beside the title, at the right. */
  actions?: ComponentChildren;
  keys?: KeyOf[];
  /** What the page waits for. With several, the first without an answer decides. */
  state?: Answer<unknown> | Answer<unknown>[];
  /** Given: there is nothing to show, and this is said instead of the children. */
  empty?: { text: string; command?: string; actions?: ComponentChildren };
  /** How many lines the page will about have, while one waits. */
  rows?: number;
  children?: ComponentChildren;
}

export function Page({ title, lead, actions, keys = [], state, empty, rows, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useKeys(keys, { title });
  // Whoever listens rather than looks is told where he is. The first page of a
  // load leaves the focus where the browser put it.
  useEffect(() => {
    // A page that put the focus into its own field has said so already.
    if (arrived && !document.activeElement?.closest("main")) heading.current?.focus({ preventScroll: true });
    arrived = true;
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = `${title} · engram`;
  }, [title]);

  const states = state ? (Array.isArray(state) ? state : [state]) : [];
  const old = asleep.value && states.find((one) => one.data !== undefined);
  return (
    <article class="page" aria-busy={states.some((one) => one.waiting)}>
      <header class="page-head">
        <div>
          <div class="title-row">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {old && <AsItWas at={old.at} />}
          </div>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      <PagePart state={state} empty={empty} rows={rows}>
        {children}
      </PagePart>
    </article>
  );
}

let arrived = false;

/** A part of a page in the state of what it waits for: nothing yet, trouble, empty, or there. */
export function PagePart({ state, empty, rows, children }: Pick<PageProps, "state" | "empty" | "rows" | "children">) {
  const states = state ? (Array.isArray(state) ? state : [state]) : [];
  const without = states.find((one) => one.data === undefined && (one.waiting || one.problem));
  const trouble = states.find((one) => one.problem && !isTold(one.problem));
  return (
    <>
      {trouble?.problem && <Trouble problem={trouble.problem} again={trouble.again} />}
      {without ? (
        without.problem ? !trouble && <Empty text="Nobody answers. What belongs here comes by itself when somebody does." /> : <Waiting rows={rows} />
      ) : empty ? (
        <Empty {...empty} />
      ) : (
        <div class={trouble || (states.length && asleep.value) ? "dimmed" : undefined}>{children}</div>
      )}
    </>
  );
}
