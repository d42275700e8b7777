// Finding: a question, or the newest where none is asked; every score explained.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Found, Gap, Listed, Memory, Recalled, Sessions } from "../shapes";
import { useAnswer } from "../lib/api";
import { age, day, isoDay, number, percent, plural } from "../lib/format";
import { leftAt, moveRow } from "../lib/keys";
import { askedBy, DAY, dayLater, FLAGS, GROUPED, isWithin, LISTS, questionOf, WORDS, type Asked, type Grouped } from "../lib/question";
import { usePainted } from "../lib/paint";
import { go, href, memoryHref, route, type Query } from "../lib/store";
import { shortId } from "../lib/ulid";
import { confidence, KINDS, said, SCOPES, STATUSES, TIERS } from "../lib/words";
import { Chip } from "../parts/Chip";
import { Icon } from "../parts/icons";
import { MemoryLine } from "../parts/MemoryLine";
import { Page, PagePart } from "../parts/Page";
import { ScoreBars } from "../parts/ScoreBars";
import { Slider } from "../parts/Slider";
import { Choice } from "../parts/Switch";

export function Search() {
  const asked = askedBy(route.value.query);
  const { q, lists, flags, words, asOf, before, by } = asked;
  const [typed, setTyped] = useState(q);
  const [filters, setFilters] = useState(false);
  const [explained, setExplained] = useState(false);
  const [trail, setTrail] = useState<string[]>([]);
  const field = useRef<HTMLInputElement>(null);

  const to = (change: Query, replace = true) => {
    const now = Object.fromEntries(route.peek().query);
    go(href("search", { ...now, before: undefined, ...change }), replace);
  };
  // 150 ms after the last letter; the answer before is given up.
  useEffect(() => {
    if (typed.trim() === q) return;
    const timer = setTimeout(() => to({ q: typed.trim() }), 150);
    return () => clearTimeout(timer);
  }, [typed]);
  // The address may change by a link or by going back.
  useEffect(() => {
    if (q !== typed.trim()) setTyped(q);
  }, [q]);
  useEffect(() => {
    // Whoever comes back stands on the row that he left.
    if (!q && !leftAt() && matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);

  const [path, query] = questionOf(asked);
  const recalled = useAnswer<Recalled>(q ? path : undefined, query);
  const listed = useAnswer<Listed>(q ? undefined : path, query);
  const answer = q ? recalled : listed;
  const oldest = useRef<string | undefined>(undefined);
  oldest.current = recalled.data?.oldest_at ?? oldest.current;

  const active = LISTS.flatMap((name) => (name === "status" && q ? [] : lists[name])).length + FLAGS.filter((name) => q && flags[name]).length + WORDS.filter((name) => words[name]).length;
  const moveDay = (by: number) => {
    const today = isoDay(new Date()), next = dayLater(asOf || today, by);
    to({ as_of: next >= today ? undefined : next });
  };
  const older = () => {
    if (q) return moveDay(-1);
    if (!listed.data?.next) return;
    setTrail([...trail, before]);
    to({ before: listed.data.next }, false);
  };
  const newer = () => {
    if (q) return moveDay(1);
    if (!before) return;
    to({ before: trail.at(-1) || undefined }, false);
    setTrail(trail.slice(0, -1));
  };
  const nextGrouping = () => to({ by: by === "flat" ? "scope" : by === "scope" ? "kind" : by === "kind" ? "session" : undefined });

  const hits = q ? recalled.data?.hits : undefined;

  return (
    <Page
      title="Search"
      lead="Looking here is not use: it keeps nothing alive and is not written down."
      keys={[
        { key: "f", label: "filters", run: () => setFilters(!filters) },
        { key: "v", label: "flat, or grouped by scope, kind, session", run: nextGrouping },
        { key: "x", label: "explain every score", run: () => setExplained(!explained) },
        { key: "[", label: "a day earlier, or older ones", run: older },
        { key: "]", label: "a day later, or newer ones", run: newer },
      ]}
    >
      <form class="search-form" role="search" onSubmit={(event) => (event.preventDefault(), to({ q: typed.trim() }))}>
        <div class="search-field">
          <Icon name="search" />
          <input
            ref={field}
            data-search
            type="search"
            aria-label="what to look for"
            placeholder="Ask, or name something"
            autocomplete="off"
            maxLength={4000}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown") return;
              event.preventDefault();
              moveRow(1);
            }}
          />
          <kbd class="hint">/</kbd>
        </div>
        <button type="button" class="filter-button" aria-expanded={filters} aria-controls="filters" onClick={() => setFilters(!filters)}>
          <Icon name="filter" size={16} /> filters{active ? ` (${active})` : ""}
        </button>
      </form>
      {filters ? <Filters asked={asked} to={to} /> : <Chosen asked={asked} to={to} />}
      {lists.scope.includes("session") && <SessionOf chosen={asked.session} to={to} />}
      {q && <AsOf day={asOf} oldest={oldest.current} choose={(next) => to({ as_of: next })} />}
      <div class="results-head">
        <div class="results-words" aria-live="polite">
          {q ? recalled.data && <Told reply={recalled.data} /> : listed.data && <span>{listed.data.total ? `${plural(listed.data.total, "memory", "memories")}, newest first` : "no memories"}</span>}
        </div>
        <div class="actions">
          {q && (
            <button type="button" class="small" aria-pressed={explained} onClick={() => setExplained(!explained)} title="x">
              {explained ? "hide the sums" : "explain scores"}
            </button>
          )}
          <Choice label="group by" of={GROUPED} value={by} choose={(value) => to({ by: value === "flat" ? undefined : value })} />
        </div>
      </div>
      {q && recalled.data && <Gaps gaps={recalled.data.gaps} />}
      <Results answer={answer} asked={asked} hits={hits} memories={q ? undefined : listed.data?.memories} explained={explained} typed={typed} to={to} />
      {!q && (listed.data?.next || before) && (
        <nav class="pager" aria-label="pages of the list">
          <button type="button" disabled={!before} onClick={newer}>newer <kbd>]</kbd></button>
          <button type="button" disabled={!listed.data?.next} onClick={older}>older <kbd>[</kbd></button>
        </nav>
      )}
    </Page>
  );
}

type To = (change: Query) => void;
const NO_FILTERS: Query = Object.fromEntries([...LISTS, ...FLAGS, ...WORDS, "as_of", "session"].map((name) => [name, undefined]));

/** What a session knows is looked for in one that is open and named: the newest, until another is chosen. */
function SessionOf({ chosen, to }: { chosen: string; to: To }) {
  const { data } = useAnswer<Sessions>("/sessions");
  const open = data?.sessions.filter(({ status }) => status === "active") ?? [];
  const first = open[0]?.session;
  useEffect(() => {
    if (!chosen && first) to({ session: first });
  }, [chosen, first]);
  if (!data) return null;
  if (!open.length) return <p class="note session-of">No session is open here now, so nothing of one can be found. What was worth it went up when the session ended.</p>;
  return (
    <label class="pick session-of">
      of the session{" "}
      <select value={chosen} onChange={(event) => to({ session: event.currentTarget.value })}>
        {chosen && !open.some(({ session }) => session === chosen) && <option value={chosen}>{shortId(chosen)}, not open any more</option>}
        {open.map((one) => (
          <option key={one.session} value={one.session}>
            {shortId(one.session)}{one.started_at ? `, begun ${age(one.started_at)}` : ""}, {plural(one.memories, "memory", "memories")}
          </option>
        ))}
      </select>
    </label>
  );
}

function Filters({ asked, to }: { asked: Asked; to: To }) {
  const { lists, flags, words, q } = asked;
  const toggle = (name: (typeof LISTS)[number], word: string) => to({ [name]: lists[name].includes(word) ? lists[name].filter((one) => one !== word) : [...lists[name], word] });
  const groups: [(typeof LISTS)[number], readonly string[]][] = [["scope", SCOPES], ["kind", KINDS], ["tier", TIERS], ...(q ? [] : [["status", STATUSES] as [(typeof LISTS)[number], readonly string[]]])];
  return (
    <section id="filters" class="card filters" aria-label="filters">
      {groups.map(([name, all]) => (
        <div class="filter" key={name} role="group" aria-label={name}>
          <p class="filter-name">{name}</p>
          <div class="chips">
            {all.map((word) => <Chip key={word} on={lists[name].includes(word)} press={() => toggle(name, word)}>{said(word)}</Chip>)}
          </div>
        </div>
      ))}
      <div class="filter" role="group" aria-label="how">
        <p class="filter-name">how</p>
        <div class="chips">
          <Chip on={flags.archived} disabled={!q} press={() => to({ archived: !flags.archived })} title="also what is archived">archived too</Chip>
          <Chip on={flags.literal} disabled={!q} press={() => to({ literal: !flags.literal })} title="only what has a word of the question">literal</Chip>
          <Chip on={flags.timeline} disabled={!q} press={() => to({ timeline: !flags.timeline })} title="also what was replaced, the oldest first">timeline</Chip>
          {!q && <span class="quiet filter-note">these need a question</span>}
        </div>
      </div>
      <div class="filter">
        <p class="filter-name">words</p>
        <div class="filter-fields">
          {WORDS.map((name) => (
            <label key={name}>
              {name} <input value={words[name]} spellcheck={false} placeholder={name === "tag" ? "auth, git" : "database"} onChange={(event) => to({ [name]: event.currentTarget.value.replace(/\s*,\s*/g, ",").trim() })} />
            </label>
          ))}
          <button type="button" class="small" onClick={() => to(NO_FILTERS)}>clear all</button>
        </div>
      </div>
    </section>
  );
}

/** What is filtered by, while the filters are closed; each can be taken off. */
function Chosen({ asked, to }: { asked: Asked; to: To }) {
  const { lists, flags, words, q } = asked;
  const chosen: { name: string; off: Query }[] = [
    ...LISTS.flatMap((name) => (name === "status" && q ? [] : lists[name].map((word) => ({ name: said(word), off: { [name]: lists[name].filter((one) => one !== word) } })))),
    ...FLAGS.flatMap((name) => (q && flags[name] ? [{ name, off: { [name]: undefined } }] : [])),
    ...WORDS.flatMap((name) => (words[name] ? [{ name: `${name} ${words[name]}`, off: { [name]: undefined } }] : [])),
  ];
  if (!chosen.length) return null;
  return (
    <div class="chips chosen" role="group" aria-label="filtered by">
      {chosen.map(({ name, off }) => (
        <button type="button" class="chip" aria-pressed="true" key={name} onClick={() => to(off)} aria-label={`take off: ${name}`}>
          {name} <Icon name="close" size={12} />
        </button>
      ))}
    </div>
  );
}

function AsOf({ day: chosen, oldest, choose }: { day: string; oldest?: string; choose: (day: string | undefined) => void }) {
  const today = isoDay(new Date());
  const first = oldest ? isoDay(new Date(oldest)) : today;
  const span = Math.max(0, Math.round((Date.parse(today) - Date.parse(first)) / DAY));
  const at = chosen ? Math.round((Date.parse(chosen) - Date.parse(first)) / DAY) : span;
  const dayAt = (value: number) => new Date(Date.parse(first) + value * DAY).toISOString().slice(0, 10);
  const set = (value: string) => choose(!value || value >= today ? undefined : value);
  const young = oldest !== undefined && span < 1;
  return (
    <div class={`as-of${chosen ? " past" : ""}`}>
      <span class="as-of-words">{chosen ? <><span aria-hidden="true">◷</span> as it was on <b>{day(chosen)}</b></> : "as it is now"}</span>
      <Slider label="as of which day" disabled={span < 1} min={0} max={Math.max(1, span)} value={Math.max(0, Math.min(span, at))} text={(value) => (value >= span ? "now" : day(dayAt(value)))} change={(value) => set(value >= span ? "" : dayAt(value))} />
      {young ? (
        <span class="quiet">nothing here is older than today</span>
      ) : (
        <input
          type="date" aria-label="as of this date" min={first} max={today} value={chosen || today}
          onChange={({ currentTarget: { value } }) => isWithin(value, first, today) && set(value)} onBlur={({ currentTarget }) => (currentTarget.value = chosen || today)}
        />
      )}
      <button type="button" class="small" disabled={!chosen} onClick={() => choose(undefined)}>now</button>
    </div>
  );
}

function Told({ reply }: { reply: Recalled }) {
  if (reply.trivial) return <span>Nothing was looked for: {said(reply.trivial)}.</span>;
  const searched = reply.searched.map(({ scope, memories }) => `${scope} ${number(memories)}`).join(", ");
  return (
    <>
      <b>{plural(reply.hits.length, "hit")}</b>
      {reply.hits.length > 0 && <span>{confidence(reply.confidence)} ({percent(reply.confidence)})</span>}
      <span class="quiet">{said(reply.intent)}, {said(reply.strategy)}</span>
      <span class="quiet">of {searched}</span>
    </>
  );
}

function Gaps({ gaps }: { gaps: Gap[] }) {
  if (!gaps.length) return null;
  const told = (gap: Gap) =>
    gap.gap === "no_vectors" ? "No embedder is configured; only words were compared."
    : gap.gap === "no_model" ? `The chosen model could not be asked (${gap.problem}); the built-in table was.`
    : gap.gap === "server_not_asked" ? `Not all that the team shares is here, and its server was not asked: ${gap.problem}`
    : `The ${gap.scope} could not be searched: ${gap.problem}`;
  return <ul class="note gaps">{gaps.map((gap) => <li key={gap.gap}>{told(gap)}</li>)}</ul>;
}

interface Item { memory: Memory; hit?: Found }

function groupedBy(items: Item[], by: Grouped): [string, Item[]][] {
  if (by === "flat") return [["", items]];
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const { memory } = item;
    const name = by === "session" ? (memory.source_session ? `session ${shortId(memory.source_session)}` : "of no session") : said(memory[by]);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups];
}

function Results({ answer, asked, hits, memories, explained, typed, to }: { answer: ReturnType<typeof useAnswer>; asked: Asked; hits?: Found[]; memories?: Memory[]; explained: boolean; typed: string; to: To }) {
  const items: Item[] | undefined = hits?.map((hit) => ({ memory: hit.memory, hit })) ?? memories?.map((memory) => ({ memory }));
  const top = useMemo(() => Math.max(1e-9, ...(hits ?? []).map(({ score }) => score)), [hits]);
  const filtered = asked.lists.scope.length + asked.lists.kind.length + asked.lists.tier.length + asked.lists.status.length > 0 || asked.words.tag || asked.words.domain;
  const empty = items && items.length === 0;
  const seen = usePainted(items ?? [], 6);
  const others = (
    <>
      {asked.q && !asked.flags.archived && <button type="button" onClick={() => to({ archived: true })}>what is archived, too</button>}
      {(filtered || asked.asOf) && <button type="button" onClick={() => to(NO_FILTERS)}>clear the filters</button>}
    </>
  );
  return (
    <PagePart
      state={answer}
      rows={8}
      empty={
        !empty || (asked.q && typed.trim() !== asked.q) ? undefined
        : asked.q ? { text: filtered || asked.asOf ? "Nothing that fits these filters answers that." : "Nothing kept here answers that.", actions: others }
        : filtered ? { text: "No memory fits these filters.", actions: others }
        : { text: "Nothing is kept here yet. What agents and you say is kept as memories, and found here.", command: 'engram remember "we deploy on fridays"' }
      }
    >
      {items && groupedBy(seen, asked.by).map(([name, group]) => (
        <section class="card flush hits" key={name} aria-label={name || "results"}>
          {name && <header><h2>{name}</h2><span class="quiet">{group.length}</span></header>}
          <ol class="lines" data-rows>
            {group.map((item) => <li key={item.memory.id}><Hit item={item} top={top} explained={explained} /></li>)}
          </ol>
        </section>
      ))}
    </PagePart>
  );
}

function Hit({ item: { memory, hit }, top, explained }: { item: Item; top: number; explained: boolean }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(explained), [explained]);
  if (!hit) return <MemoryLine memory={memory} />;
  return (
    <MemoryLine
      memory={memory}
      status={hit.status}
      score={
        <>
          {percent(hit.retention)} left · {memory.access_count ? `used ${age(memory.last_used_at)}` : "not used yet"} · <b title="how likely it is that this answers the question">{confidence(hit.confidence)} {percent(hit.confidence)}</b>{" "}
          <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>why</button>
        </>
      }
    >
      <ScoreBars why={hit} top={top} open={open} />
      {hit.supersedes && hit.supersedes.length > 0 && <p class="hit-note">took the place of {hit.supersedes.map((id, at) => <span key={id}>{at > 0 && ", "}<a href={memoryHref(id)}>{shortId(id)}</a></span>)}</p>}
    </MemoryLine>
  );
}
