// One memory: what it says, where it is from, what became of it, how it fades,
// and everything that may be done about it.

import { useEffect, useState } from "preact/hooks";
import type { Changed, CurveOf, Decision, HistoryOf, Inspected, Listed, Memory as MemoryOf, OperationLine, StatusStep, Turn, UsageHistory, WhyReply } from "../shapes";
import type { RelationKind } from "../types";
import { api, useAnswer, type Answer } from "../lib/api";
import { age, day, moment, number, percent, plural, share } from "../lib/format";
import { sessionIn } from "../lib/question";
import { corrections, go, href, lastMemory, memoryHref, readOnly, route } from "../lib/store";
import { shortId } from "../lib/ulid";
import { actor, cause, isCurrent, KINDS, said } from "../lib/words";
import { Bar } from "../parts/Bar";
import { Card } from "../parts/Card";
import { Copy } from "../parts/Copy";
import { Curve } from "../parts/Curve";
import { Dialog } from "../parts/Dialog";
import { Diff } from "../parts/Diff";
import { Icon } from "../parts/icons";
import { headline, MemoryLine, StatusMark } from "../parts/MemoryLine";
import { Page } from "../parts/Page";
import { complain, toast, undo } from "../parts/Toast";

export function Memory() {
  const { path, query } = route.value;
  const id = path[1], session = sessionIn(query);
  return id ? <One id={id} session={session} key={`${id} ${session}`} /> : <Latest />;
}

/** No memory is named: the newest are offered. */
function Latest() {
  const listed = useAnswer<Listed>("/memories", { limit: 10 });
  return (
    <Page title="Memory" lead={<>The newest ones. <a href={href("search")}>Search</a> finds the others.</>} state={listed} empty={listed.data && !listed.data.memories.length ? { text: "Nothing is kept here yet.", command: 'engram remember "we deploy on fridays"' } : undefined}>
      <section class="card flush" aria-label="the newest">
        <ol class="lines" data-rows>{listed.data?.memories.map((memory) => <li key={memory.id}><MemoryLine memory={memory} /></li>)}</ol>
      </section>
    </Page>
  );
}

const LOOK_ONLY = "this key may look and change nothing";

function One({ id, session }: { id: string; session?: string }) {
  const inspected = useAnswer<Inspected>(`/memories/${id}`, { session });
  // Where there is no such memory nothing else is asked about it.
  const part = (name: string) => (inspected.data ? `/memories/${id}/${name}` : undefined);
  const why = useAnswer<WhyReply>(part("why"), { session });
  const history = useAnswer<HistoryOf>(part("history"), { session });
  const curve = useAnswer<CurveOf>(part("curve"), { session });
  const usage = useAnswer<UsageHistory>(part("usage"), { session, limit: 20 });
  const [dialog, setDialog] = useState<"correct" | "edit" | undefined>(undefined);
  const memory = inspected.data?.memory;
  useEffect(() => {
    if (memory) lastMemory.value = memoryHref(memory.id, session);
  }, [memory?.id]);

  const change = async (text: string, method: "POST" | "PUT" | "PATCH", part: string, body: Record<string, unknown> = {}): Promise<Changed | undefined> => {
    try {
      const reply = await api.change<Changed>(method, `/memories/${memory?.id ?? id}${part}`, body, { session });
      toast(text, reply.operation, { session });
      return reply;
    } catch (problem) {
      complain(problem);
      return undefined;
    }
  };
  const may = memory !== undefined && !readOnly.value;
  const fixed = memory?.immutable ? "it is immutable: nothing may change it" : "";
  const current = memory ? isCurrent(memory.status) : false;
  const actions: { key: string; name: string; label: string; run: () => void; not?: string; icon?: string }[] = memory
    ? [
        { key: "c", name: "correct", label: "correct it", run: () => setDialog("correct"), not: fixed || (current ? "" : "only what is current can be corrected") },
        { key: "e", name: "edit", label: "edit what is said about it", run: () => setDialog("edit"), not: fixed },
        { key: "y", name: "confirm", label: "confirm that it is true", run: () => void change("Confirmed", "POST", "/confirmation"), not: current ? "" : "only what is current can be confirmed" },
        { key: "p", name: memory.pinned ? "unpin" : "pin", label: memory.pinned ? "unpin it" : "pin it", run: () => void change(memory.pinned ? "Unpinned" : "Pinned", "PUT", "/pin", { pinned: !memory.pinned }) },
        memory.status === "archived"
          ? { key: "Delete", name: "recover", label: "bring it back", run: () => void change("Recovered", "POST", "/recovery") }
          : { key: "Delete", name: "forget", label: "forget it", run: () => void change("Forgotten: out of sight, use or undo brings it back", "POST", "/forgetting"), not: fixed || (memory.status === "forgotten" ? "its text is gone already" : "") },
      ]
    : [["c", "correct"], ["e", "edit"], ["y", "confirm"], ["p", "pin"], ["Delete", "forget"]].map(([key, name]) => ({ key, name, label: name, run: () => {} }));

  return (
    <Page
      title="Memory"
      lead={memory ? <>{memory.scope} · {said(memory.kind)} <Copy text={memory.id} label="the identifier" /></> : <span class="hold">{" "}</span>}
      state={inspected}
      rows={10}
      keys={actions.map(({ key, label, run, not }) => ({ key, label, run: () => (!may ? toast(`Not here: ${LOOK_ONLY}`) : not ? toast(`Not so: ${not}`) : run()) }))}
      actions={actions.map(({ key, name, run, not }) => (
        <button key={key} type="button" class={name === "forget" ? "danger" : undefined} disabled={!may || Boolean(not)} title={!may ? LOOK_ONLY : not || `${name} (${key === "Delete" ? "Del" : key})`} onClick={run}>
          {name} <kbd>{key === "Delete" ? "Del" : key}</kbd>
        </button>
      ))}
    >
      {inspected.data && memory && (
        <div class="stack">
          <Text memory={memory} />
          <div class="columns">
            <div class="stack">
              <Card title="How it fades" state={curve} rows={10}>{curve.data && <Curve curve={curve.data} />}</Card>
              <EvidenceOf why={why} memory={memory} />
              <History inspected={inspected.data} history={history} may={may} session={session} />
              <Decisions why={why} self={memory.id} />
            </div>
            <div class="stack">
              <Worth inspected={inspected.data} keptUntil={why.data ? (why.data.kept_until ?? null) : undefined} />
              <UsageOf usage={usage} may={may} told={(outcome) => void change(`Told: ${outcome}`, "POST", "/outcome", { outcome })} />
              <Provenance memory={memory} />
              <Relations why={why} self={memory.id} session={session} />
            </div>
          </div>
        </div>
      )}
      {dialog === "correct" && memory && <Correct memory={memory} close={() => setDialog(undefined)} session={session} save={(text) => change("Corrected", "POST", "/correction", { text })} />}
      {dialog === "edit" && memory && <Edit memory={memory} close={() => setDialog(undefined)} save={(body) => change("Edited", "PATCH", "", body)} />}
    </Page>
  );
}

function Text({ memory }: { memory: MemoryOf }) {
  const { status_change: change } = memory;
  return (
    <section class="card memory-card" aria-label="what it says">
      {memory.content ? <p class="memory-content text">{memory.content}</p> : <p class="quiet">Its text is gone.</p>}
      <div class="memory-words">
        <StatusMark status={memory.status} />
        <span>{change.reason}, {age(change.at)}</span>
        {memory.domain && <a href={href("search", { domain: memory.domain })}>{memory.domain}</a>}
        {memory.tags?.map((tag) => <a key={tag} href={href("search", { tag })}>#{tag}</a>)}
        {memory.pinned && <span class="pinned"><Icon name="pin" size={12} /> pinned</span>}
        {memory.immutable && <span>immutable</span>}
        {memory.valid_until && <span>held until {day(memory.valid_until)}</span>}
      </div>
    </section>
  );
}

function Worth({ inspected, keptUntil }: { inspected: Inspected; keptUntil?: string | null }) {
  const { memory, retention, strength, importance, importance_terms: terms, storage, sub_tier: sub } = inspected;
  return (
    <Card title="What it is worth">
      <div class="bars">
        <Bar label="confidence" value={memory.confidence} of={1} text={share(memory.confidence)} />
        <Bar label="importance" value={importance ?? memory.importance} of={1} text={share(importance ?? memory.importance)} />
        <Bar label="retention" value={retention} of={1} text={percent(retention)} pattern="lines" />
        <Bar label="strength" value={strength} of={1} text={share(strength)} pattern="lines" />
        <Bar label="trust in its source" value={memory.trust} of={1} text={share(memory.trust)} pattern="dots" />
        {memory.surprise !== undefined && <Bar label="surprise when it came" value={memory.surprise} of={1} text={share(memory.surprise)} pattern="dots" />}
      </div>
      {terms && terms.length > 0 && (
        <details class="numbers-of">
          <summary>what the importance is made up of</summary>
          <ul class="terms">{terms.map((term) => <li key={term}>{term}</li>)}</ul>
        </details>
      )}
      <dl class="facts spaced">
        <div><dt>tier</dt><dd>{memory.tier}{sub ? `, ${sub}` : ""}</dd></div>
        <div><dt>stability</dt><dd>{number(memory.stability, 1)} days</dd></div>
        {memory.difficulty !== undefined && <div><dt>difficulty</dt><dd>{number(memory.difficulty, 1)} of 10</dd></div>}
        {storage !== undefined && <div><dt>engraved</dt><dd>{number(storage, 1)} of 10</dd></div>}
        <div><dt>used</dt><dd>{memory.access_count ? `${plural(memory.access_count, "time")}, ${age(memory.last_used_at)}` : "not yet"}</dd></div>
        {keptUntil !== undefined && <div><dt>kept at least until</dt><dd>{keptUntil ? day(keptUntil) : "for good"}</dd></div>}
        <div><dt>fades</dt><dd>{memory.pinned ? "never, pinned" : memory.fades_at ? `${day(memory.fades_at)}, ${age(memory.fades_at)}` : "never"}</dd></div>
      </dl>
    </Card>
  );
}

const OUTCOMES = ["success", "partial", "failure"] as const;
const OUTCOME_MARKS: Record<string, string> = { success: "✓", partial: "≈", failure: "✕", ignored: "·" };

function UsageOf({ usage, may, told }: { usage: Answer<UsageHistory>; may: boolean; told: (outcome: string) => void }) {
  const data = usage.data;
  return (
    <Card title="How it served" state={usage}>
      {data && (
        <>
          <Bar label="utility" value={data.utility} of={1} text={share(data.utility)} mark={0.5} />
          <dl class="facts spaced">
            <div><dt>tried</dt><dd>{data.tried ? `${plural(data.tried, "time")}: ${data.succeeded} served, ${data.failed} failed` : "not yet"}</dd></div>
            <div><dt>shown</dt><dd>{data.shown ? `${plural(data.shown, "time")}, ${data.ignored} ignored` : "not yet"}</dd></div>
          </dl>
          {data.usages.length > 0 && (
            <ul class="usages">
              {data.usages.map((one) => (
                <li key={one.at + one.outcome}>
                  <span class={`outcome ${one.outcome}`}><span aria-hidden="true">{OUTCOME_MARKS[one.outcome]}</span> {one.outcome}</span> <span class="quiet">{said(one.source)}, {age(one.at)}</span>
                  {one.note && <span class="usage-note">{one.note}</span>}
                </li>
              ))}
            </ul>
          )}
          <div class="actions outcome-buttons" role="group" aria-label="say how using it went">
            {OUTCOMES.map((outcome) => (
              <button key={outcome} type="button" class="small" disabled={!may} title={may ? `using it was a ${outcome}` : LOOK_ONLY} onClick={() => told(outcome)}><span aria-hidden="true">{OUTCOME_MARKS[outcome]}</span> {outcome}</button>
            ))}
          </div>
        </>
      )}
    </Card>
  );
}

const SOURCES: Record<string, string> = { user_message: "what the user said", assistant_message: "what an agent said", system: "engram itself", file: "a file", federation: "elsewhere" };
const WRITERS: Record<string, string> = { manual: "by hand", observer: "by observing", formation: "from a conversation", dream: "in a dream", import: "by an import" };

/** Where it is from, and how it went up: session, project, user. */
function Provenance({ memory }: { memory: MemoryOf }) {
  const chain = [...(memory.promotion_chain ?? []).map((step) => ({ scope: step.scope, id: step.memory_id, at: step.promoted_at, here: false })), { scope: memory.scope, id: memory.id, at: memory.created_at, here: true }];
  return (
    <Card title="Where it is from">
      <ol class="chain" aria-label="how it went up">
        {chain.map((step, at) => (
          <li key={step.id} aria-current={step.here ? "step" : undefined}>
            <b>{step.scope}</b> {step.here ? <span>{at ? "lives on here" : "born here"}, {day(step.at)}</span> : <span><a href={memoryHref(step.id)}>{shortId(step.id)}</a>, went up {day(step.at)}</span>}
          </li>
        ))}
      </ol>
      <dl class="facts spaced">
        <div><dt>made of</dt><dd>{SOURCES[memory.data_source] ?? said(memory.data_source)}</dd></div>
        <div><dt>written</dt><dd>{WRITERS[memory.write_source] ?? said(memory.write_source)}</dd></div>
        {memory.speaker && <div><dt>said by</dt><dd>{memory.speaker}</dd></div>}
        {memory.source_session && <div><dt>session</dt><dd>{shortId(memory.source_session)}</dd></div>}
        {memory.source_project && <div><dt>project</dt><dd>{memory.source_project}</dd></div>}
        <div><dt>true from</dt><dd>{moment(memory.valid_from)}</dd></div>
        <div><dt>learned</dt><dd>{moment(memory.recorded_at)}</dd></div>
      </dl>
    </Card>
  );
}

function TurnOf({ turn }: { turn: Turn }) {
  const who = turn.speaker ?? (turn.tool ? turn.tool.tool_name : said(turn.role));
  return (
    <li class="turn">
      <p class="turn-who"><b>{who}</b> <span class="quiet">{said(turn.event)}, <time dateTime={turn.said_at} title={moment(turn.said_at)}>{age(turn.said_at)}</time>{turn.source ? ` · ${turn.source}` : ""}</span></p>
      <blockquote class="text">{turn.content || turn.tool?.result_summary}</blockquote>
    </li>
  );
}

function EvidenceOf({ why, memory }: { why: Answer<WhyReply>; memory: MemoryOf }) {
  const data = why.data;
  return (
    <Card title="Evidence, word for word" state={why}>
      {data && (data.evidence.length ? <ol class="turns">{data.evidence.map((turn) => <TurnOf key={turn.id} turn={turn} />)}</ol> : <p class="quiet">{memory.write_source === "dream" ? "A dream made it of other memories; its relations name them." : "Nobody recorded the words it was made of."}</p>)}
      {data && data.others.length > 0 && (
        <details class="numbers-of">
          <summary>{plural(data.others.length, "other turn")} that had a say</summary>
          <ol class="turns">{data.others.map((turn) => <TurnOf key={turn.id} turn={turn} />)}</ol>
        </details>
      )}
    </Card>
  );
}

type Happening = { at: string; step?: StatusStep; operation?: OperationLine };

function History({ inspected, history, may, session }: { inspected: Inspected; history: Answer<HistoryOf>; may: boolean; session?: string }) {
  const steps = history.data?.status_history ?? inspected.status_history;
  const events: Happening[] = [...steps.map((step) => ({ at: step.at, step })), ...(history.data?.operations_on ?? []).map((operation) => ({ at: operation.at, operation }))];
  events.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.operation ? -1 : 1));
  return (
    <Card title="What happened to it" state={history} rows={4}>
      <ol class="history">
        {events.map(({ at, step, operation }) => (
          <li key={`${at}${operation?.id ?? step?.to}`} class={operation?.undone_by ? "undone" : undefined}>
            <time dateTime={at} title={moment(at)}>{age(at)}</time>
            {step ? (
              <span><StatusMark status={step.to} /><span class="quiet">: {step.reason}</span></span>
            ) : operation ? (
              <span>
                {cause(operation.cause)} <span class="quiet">by {actor(operation.actor)}{operation.memories.length > 1 ? `, with ${operation.memories.length - 1} more` : ""}{operation.undone_by ? ", taken back" : ""}</span>
              </span>
            ) : null}
            {operation?.undoable && !operation.undone_by && (
              <button type="button" class="small" disabled={!may} title={may ? "take this back" : LOOK_ONLY} aria-label={`undo: ${cause(operation.cause)} ${age(at)}`} onClick={() => void undo(operation.id, { query: { session } })}>undo</button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Decisions({ why, self }: { why: Answer<WhyReply>; self: string }) {
  const all = why.data?.decisions ?? [];
  if (!all.length) return null;
  const other = (decision: Decision) => [decision.memory, decision.other].find((one) => one && one !== self);
  return (
    <Card title="Decisions about it">
      <ol class="decisions">
        {all.map((decision) => {
          const to = other(decision);
          const [reason, weighed] = decision.reason.split("; weighed: ");
          return (
            <li key={`${decision.turn}${decision.number}`}>
              <p><b>{decision.action}</b> <span class="quiet">by the {decision.by}, {age(decision.at)}</span></p>
              <p>{reason}{decision.similarity !== undefined && <span class="quiet"> · {percent(decision.similarity)} alike</span>}{to && <> · <a href={memoryHref(to)}>{shortId(to)}</a></>}</p>
              {weighed && (
                <details class="numbers-of"><summary>what it weighed</summary><ul class="terms">{weighed.split(", ").map((term) => <li key={term}>{term}</li>)}</ul></details>
              )}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** Read from the other end, an edge has another name. */
const BACKWARDS: Record<RelationKind, string> = { similar_to: "similar to", contradicts: "contradicts", supersedes: "superseded by", derived_from: "source of", supports: "supported by", part_of: "has as a part", caused_by: "caused", causes: "caused by", elaborates: "elaborated by", same_entity: "speaks of the same thing", related_to: "related to", merged_into: "took in", instance_of: "example" };

function Relations({ why, self, session }: { why: Answer<WhyReply>; self: string; session?: string }) {
  const data = why.data;
  const [all, setAll] = useState(false);
  const relations = data?.relations ?? [];
  const shownOnes = all ? relations : relations.slice(0, 6);
  return (
    <Card title="What it is tied to" state={why}>
      {data && !relations.length && !data.entities.length && <p class="quiet">It stands alone, and names nothing.</p>}
      {shownOnes.length > 0 && (
        <ul class="relations">
          {shownOnes.map((one) => {
            const out = one.from === self;
            return <Related key={one.from + one.kind + one.to} session={session} id={out ? one.to : one.from} word={out ? said(one.kind) : (BACKWARDS[one.kind as RelationKind] ?? `${said(one.kind)}, from there`)} />;
          })}
        </ul>
      )}
      {!all && relations.length > shownOnes.length && <button type="button" class="small" onClick={() => setAll(true)}>{relations.length - shownOnes.length} more</button>}
      {data && data.entities.length > 0 && (
        <div class="chips entities">
          {data.entities.map((one) => <a key={one.id} class="word" href={href("graph", { entity: one.name })} title={`${said(one.kind)}, named by ${plural(one.mentions, "memory", "memories")}`}>{one.written} <span class="quiet">{said(one.kind)}</span></a>)}
        </div>
      )}
    </Card>
  );
}

function Related({ id, word, session }: { id: string; word: string; session?: string }) {
  const { data } = useAnswer<Inspected>(`/memories/${id}`, { session });
  return (
    <li>
      <span class="quiet">{word}</span>
      <a href={memoryHref(id, session)}>{data ? (data.memory.content ? headline(data.memory) : "its text is gone") : shortId(id)}</a>
    </li>
  );
}

/** A new text, with what differs before it is saved. */
function Correct({ memory, session, close, save }: { memory: MemoryOf; session?: string; close: () => void; save: (text: string) => Promise<Changed | undefined> }) {
  const [text, setText] = useState(memory.content);
  const [busy, setBusy] = useState(false);
  const differs = text.trim() !== "" && text.trim() !== memory.content.trim();
  const act = async () => {
    if (!differs || busy) return;
    setBusy(true);
    const reply = await save(text.trim());
    setBusy(false);
    if (!reply) return;
    close();
    const newer = reply.memories.find((one) => one.id !== memory.id && isCurrent(one.status)) ?? reply.memories[0];
    if (!newer || newer.id === memory.id) return;
    corrections.set(reply.operation, { newer: newer.id, older: memory.id });
    go(memoryHref(newer.id, session));
  };
  return (
    <Dialog title="Correct" close={close} wide>
      <div class="dialog-text">
        <p class="quiet">The new text takes the place of the old one, which stays in the history.</p>
        <div class="field">
          <label for="correct">What is right</label>
          <textarea id="correct" data-first rows={5} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && void act()} />
        </div>
        <div class="field">
          <label>What differs</label>
          <div class="diff-box" aria-live="polite">{differs ? <Diff older={memory.content} newer={text.trim()} /> : <p class="quiet">Nothing yet.</p>}</div>
        </div>
      </div>
      <footer>
        <button type="button" onClick={close}>cancel</button>
        <button type="button" class="primary" disabled={!differs || busy} onClick={() => void act()}>correct</button>
      </footer>
    </Dialog>
  );
}

/** What is said about a memory, not what it says. */
function Edit({ memory, close, save }: { memory: MemoryOf; close: () => void; save: (body: Record<string, unknown>) => Promise<Changed | undefined> }) {
  const [kind, setKind] = useState<string>(memory.kind);
  const [tags, setTags] = useState((memory.tags ?? []).join(", "));
  const [domain, setDomain] = useState(memory.domain ?? "");
  const [summary, setSummary] = useState(memory.summary ?? "");
  const [busy, setBusy] = useState(false);
  const list = tags.split(",").map((tag) => tag.trim()).filter(Boolean);
  const body = {
    ...(kind !== memory.kind ? { kind } : {}),
    ...(list.join() !== (memory.tags ?? []).join() ? { tags: list } : {}),
    ...(domain.trim() !== (memory.domain ?? "") ? { domain: domain.trim() } : {}),
    ...(summary.trim() !== (memory.summary ?? "") ? { summary: summary.trim() } : {}),
  };
  const act = async (event: Event) => {
    event.preventDefault();
    if (!Object.keys(body).length || busy) return;
    setBusy(true);
    const reply = await save(body);
    setBusy(false);
    if (reply) close();
  };
  return (
    <Dialog title="Edit what is said about it" close={close}>
      <form onSubmit={(event) => void act(event)}>
        <div class="field">
          <label for="edit-kind">Kind</label>
          <select id="edit-kind" data-first value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {KINDS.filter((one) => memory.scope === "session" || !["scratchpad", "tool_outcome"].includes(one)).map((one) => <option key={one} value={one}>{said(one)}</option>)}
          </select>
        </div>
        <div class="field">
          <label for="edit-tags">Tags, with commas between them</label>
          <input id="edit-tags" value={tags} spellcheck={false} onInput={(event) => setTags(event.currentTarget.value)} />
        </div>
        <div class="field">
          <label for="edit-domain">Domain, one word; empty takes it away</label>
          <input id="edit-domain" value={domain} spellcheck={false} onInput={(event) => setDomain(event.currentTarget.value)} />
        </div>
        <div class="field">
          <label for="edit-summary">Summary, at most 100 characters</label>
          <input id="edit-summary" maxLength={100} value={summary} onInput={(event) => setSummary(event.currentTarget.value)} />
        </div>
        <p class="quiet">The text itself is set right by “correct”.</p>
        <footer>
          <button type="button" onClick={close}>cancel</button>
          <button class="primary" disabled={!Object.keys(body).length || busy}>save</button>
        </footer>
      </form>
    </Dialog>
  );
}
