import type { ComponentChildren } from "preact";
import type { Memory, Status } from "../shapes";
import { age, moment } from "../lib/format";
import { CONTENT } from "../lib/paint";
import { memoryHref } from "../lib/store";
import { said, status as marked } from "../lib/words";
import { Icon } from "./icons";

/** A status with its shape and its word. */
export function StatusMark({ status, quiet }: { status: Status | string; quiet?: boolean }) {
  const { word, mark, tone, means } = marked(status);
  return (
    <span class={`status tone-${tone}`} title={means}>
      <span aria-hidden={!quiet} role={quiet ? "img" : undefined} aria-label={quiet ? word : undefined}>
        {mark}
      </span>
      {!quiet && ` ${word}`}
    </span>
  );
}

/** What a text says in one line. */
export function headline(memory: Pick<Memory, "content" | "summary">): string {
  return memory.summary ?? memory.content.split("\n", 1)[0];
}

export interface MemoryLineProps {
  memory: Memory;
  /** How it stood at the moment asked for, where that differs. */
  status?: Status;
  /** Shown at the right, a score for example. */
  score?: ComponentChildren;
  /** Without it the line leads to the page of the memory. */
  onOpen?: () => void;
  /** The whole text, not one line. */
  whole?: boolean;
  /** Below the words. */
  children?: ComponentChildren;
}

/** One memory in a list: its text, and the words that say what it is. A row for j and k. */
export function MemoryLine({ memory, status = memory.status, score, onOpen, whole, children }: MemoryLineProps) {
  const { tone } = marked(status);
  const text = memory.content ? (whole ? memory.content : headline(memory)) : "its text is gone";
  return (
    <div class={`memory-line tone-line-${tone}`}>
      <a
        class="memory-text"
        data-row
        href={memoryHref(memory.id, memory.scope === "session" ? memory.source_session : undefined)}
        onClick={(event) => {
          if (!onOpen || event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          onOpen();
        }}
      >
        <span class={whole ? "text" : "text one"} {...CONTENT}>{text}</span>
      </a>
      <div class="memory-words">
        <StatusMark status={status} />
        <span>{memory.scope}</span>
        <span>{said(memory.kind)}</span>
        <time dateTime={memory.created_at} title={moment(memory.created_at)}>
          {age(memory.created_at)}
        </time>
        {memory.domain && <span>{memory.domain}</span>}
        {memory.tags?.map((tag) => <span key={tag} class="tag">#{tag}</span>)}
        {memory.pinned && (
          <span class="pinned">
            <Icon name="pin" size={12} /> pinned
          </span>
        )}
        {score && <span class="line-score">{score}</span>}
      </div>
      {children}
    </div>
  );
}
