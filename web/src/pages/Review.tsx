import { useEffect, useState } from "preact/hooks";
import type { Changed, Entity, Listed, Memory, ReviewLine, Reviews, Ruling, Side, Turn } from "../shapes";
import { api, useAnswer } from "../lib/api";
import { age, moment, percent, plural } from "../lib/format";
import { href, memoryHref, readOnly } from "../lib/store";
import { isCurrent, said } from "../lib/words";
import { Card } from "../parts/Card";
import { Dialog } from "../parts/Dialog";
import { Diff } from "../parts/Diff";
import { Empty } from "../parts/Empty";
import { MemoryLine, StatusMark } from "../parts/MemoryLine";
import { Page } from "../parts/Page";
import { toast } from "../parts/Toast";
import { Act, act } from "./Act";
import { Linked } from "./Linked";
import { common } from "./told";

/** Whether somebody still has to decide, as the daemon sees it. */
export function isOpen({ review, newer, older }: ReviewLine): boolean {
  if (review.closed) return false;
  if (newer.side === "memory" && older.side === "memory") return isCurrent(newer.memory.status) && isCurrent(older.memory.status);
  return newer.side === "entity" && older.side === "entity";
}

interface Choice { ruling: Ruling; key: string; name: string; means: string; done: string }

const OF_MEMORIES: Choice[] = [
  { ruling: "both", key: "1", name: "both", means: "both are right", done: "Both stay" },
  { ruling: "newer", key: "2", name: "newer", means: "it takes the place of the older", done: "The newer took the place of the older" },
  { ruling: "older", key: "3", name: "older", means: "it stays, the newer is rejected", done: "The older stays, the newer was rejected" },
  { ruling: "merge", key: "4", name: "merge", means: "they are one", done: "They are one now" },
];
const OF_THINGS: Choice[] = [
  { ruling: "both", key: "1", name: "two things", means: "they are not the same", done: "They stay two things" },
  { ruling: "merge", key: "4", name: "one thing", means: "two names of the same", done: "They are one thing now" },
];

export function Review() {
  const answer = useAnswer<Reviews>("/reviews");
  const doubted = useAnswer<Listed>("/memories", { status: "challenged", limit: 50 });
  const open = (answer.data?.reviews ?? []).filter(isOpen);
  const [at, setAt] = useState(0);
  const [correcting, setCorrecting] = useState<Memory>();
  const place = open.length ? at % open.length : 0;
  const line = open[place];
  const choices = line?.review.pair === "entities" ? OF_THINGS : OF_MEMORIES;
  useEffect(() => { if (at >= open.length && at > 0) setAt(0); }, [open.length]);

  const decide = ({ ruling, done }: Choice) => act(async () => {
    if (!line || readOnly.value) return;
    const reply = await api.change<Changed>("POST", `/reviews/${line.review.id}/ruling`, { ruling });
    toast(done, reply.operation);
  });
  const skip = () => setAt(open.length ? (place + 1) % open.length : 0);
  const challenged = doubted.data?.memories ?? [];
  return (
    <Page
      title="Review"
      lead="What nobody could be sure of waits here. Decide with one key."
      state={[answer, doubted]}
      rows={6}
      keys={[
        ...choices.map((choice) => ({ key: choice.key, label: `${choice.name}: ${choice.means}`, run: () => void decide(choice) })),
        { key: "s", label: "skip it for now", run: skip },
      ]}
    >
      <div class="stack">
        {line ? (
          <section class="card review" aria-labelledby="review-title">
            <header class="review-head">
              <div>
                <h2 id="review-title">{line.review.pair === "entities" ? "May these two be one thing?" : "Can both be so?"}</h2>
                <p class="quiet">
                  <Linked text={line.review.reason} />
                  {line.review.similarity !== undefined && <> · {percent(line.review.similarity)} alike</>} · {line.scope} · asked <time dateTime={line.review.opened_at} title={moment(line.review.opened_at)}>{age(line.review.opened_at)}</time>
                </p>
              </div>
              <span class="numbers review-place">{place + 1} of {open.length}</span>
            </header>
            <div class="sides">
              <Half title="older" side={line.older} other={line.newer} show="older" />
              <Half title="newer" side={line.newer} other={line.older} show="newer" />
            </div>
            <div class="rulings" role="group" aria-label="what is right">
              {choices.map((choice) => (
                <Act key={choice.ruling} class="ruling" run={() => decide(choice)}>
                  <kbd>{choice.key}</kbd>
                  <b>{choice.name}</b>
                  <span class="quiet">{choice.means}</span>
                </Act>
              ))}
              <button type="button" class="ruling" onClick={skip}>
                <kbd>s</kbd>
                <b>skip</b>
                <span class="quiet">{open.length > 1 ? "show the next" : "leave it for now"}</span>
              </button>
            </div>
          </section>
        ) : (
          <Card><Empty text="Nothing waits. What contradicts something you know, or may be the same, is asked here before anything is replaced." /></Card>
        )}
        {challenged.length > 0 && (
          <Card title={`${plural(challenged.length, "belief")} in doubt`} class="flush">
            <ul class="lines" data-rows>
              {challenged.map((memory) => (
                <li key={memory.id} class="doubted">
                  <MemoryLine memory={memory} whole>
                    <p class="quiet doubt-why"><Linked text={memory.status_change.reason} /></p>
                    <div class="actions">
                      <Act class="small" run={async () => toast("Confirmed", (await api.change<Changed>("POST", `/memories/${memory.id}/confirmation`)).operation)}>it is so</Act>
                      <Act class="small" run={() => setCorrecting(memory)}>correct</Act>
                      <Act class="small" run={async () => toast("Invalidated", (await api.change<Changed>("PUT", `/memories/${memory.id}/status`, { status: "invalidated", reason: "found to be wrong in review" })).operation)}>it is wrong</Act>
                    </div>
                  </MemoryLine>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
      {correcting && <Correct memory={correcting} close={() => setCorrecting(undefined)} />}
    </Page>
  );
}

function Half({ title, side, other, show }: { title: string; side: Side; other: Side; show: "older" | "newer" }) {
  if (side.side === "gone") return <div class="side"><h3>{title}</h3><p class="quiet">It is gone.</p></div>;
  if (side.side === "entity") return <Thing title={title} entity={side.entity} />;
  const { memory, evidence } = side;
  const against = other.side === "memory" ? other.memory.content : memory.content;
  return (
    <div class="side">
      <h3>{title}</h3>
      {common(memory.content, against) > 1 / 3 ? (
        <Diff older={show === "older" ? memory.content : against} newer={show === "newer" ? memory.content : against} show={show} />
      ) : (
        <p class="diff">{memory.content}</p>
      )}
      <p class="quiet side-words">
        <StatusMark status={memory.status} /> <span>{said(memory.kind)}</span> <span><time dateTime={memory.created_at} title={moment(memory.created_at)}>{age(memory.created_at)}</time></span> <span>trust {percent(memory.trust)}</span> <span>confidence {percent(memory.confidence)}</span> <a href={memoryHref(memory.id)}>open</a>
      </p>
      <Evidence turns={evidence} />
    </div>
  );
}

function Evidence({ turns }: { turns: Turn[] }) {
  if (turns.length === 0) return <p class="quiet">Nobody's words were kept for it.</p>;
  return (
    <ul class="evidence">
      {turns.slice(0, 3).map((turn) => (
        <li key={turn.id}>
          <blockquote class="text">{turn.content}</blockquote>
          <span class="quiet">{turn.speaker ?? said(turn.role)}, {moment(turn.said_at)}</span>
        </li>
      ))}
      {turns.length > 3 && <li class="quiet">and {turns.length - 3} more</li>}
    </ul>
  );
}

function Thing({ title, entity }: { title: string; entity: Entity }) {
  return (
    <div class="side">
      <h3>{title}</h3>
      <p class="thing-name"><a href={href("graph", { entity: entity.name })}>{entity.written}</a></p>
      <p class="quiet">
        {said(entity.kind)}{entity.version ? ` ${entity.version}` : ""} · named by {plural(entity.mentions, "memory", "memories")} · first {moment(entity.first_seen_at)}, last {moment(entity.last_seen_at)}
      </p>
      {(entity.aliases?.length ?? 0) > 0 && <p class="quiet">also called {entity.aliases!.join(", ")}</p>}
    </div>
  );
}

function Correct({ memory, close }: { memory: Memory; close: () => void }) {
  const [text, setText] = useState(memory.content);
  const same = text.trim() === memory.content.trim() || text.trim() === "";
  const save = async () => {
    const reply = await api.change<Changed>("POST", `/memories/${memory.id}/correction`, { text: text.trim() });
    toast("Corrected", reply.operation);
    close();
  };
  return (
    <Dialog title="What is right" close={close} wide>
      <textarea data-first aria-label="what is right" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {!same && <Diff older={memory.content} newer={text} />}
      <footer>
        <button type="button" onClick={close}>cancel</button>
        <Act class="primary" disabled={same} run={save}>correct</Act>
      </footer>
    </Dialog>
  );
}
