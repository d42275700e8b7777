import { useEffect, useRef, useState } from "preact/hooks";
import type { DayLine, DayOf, Days, DaySession, Happened } from "../shapes";
import { api, Problem, useAnswer } from "../lib/api";
import { clock, dayName, isoDay, plural } from "../lib/format";
import { isWithin } from "../lib/question";
import { memoryHref, project, stale } from "../lib/store";
import { shortId } from "../lib/ulid";
import { actor, cause, said } from "../lib/words";
import { Chip } from "../parts/Chip";
import { Page } from "../parts/Page";
import { Spark } from "../parts/Spark";
import { complain, undo } from "../parts/Toast";
import { Trouble } from "../parts/Trouble";
import { Act } from "./Act";
import { countOf, rowsOf, type Row } from "./told";

const AT_ONCE = 200;
/** No memory is from before; a year that is typed comes by there. */
const EARLIEST = "2000-01-01";
/** A jump goes back over so many pages at most. */
const JUMPS = 40;

const HAPPENED: Record<Happened, { mark: string; tone: string; word: string }> = {
  learned: { mark: "+", tone: "good", word: "learned" },
  corrected: { mark: "⇢", tone: "doubt", word: "corrected" },
  forgotten: { mark: "○", tone: "past", word: "forgotten" },
  changed: { mark: "·", tone: "plain", word: "changed" },
};
const ALL = Object.keys(HAPPENED) as Happened[];

/** Days in order; a day that is cut by two pages is one. */
export function joinDays(pages: Days[]): DayOf[] {
  const days: DayOf[] = [];
  for (const { days: more } of pages) {
    for (const one of more) {
      const last = days[days.length - 1];
      if (last?.day !== one.day) {
        days.push({ ...one, sessions: [...one.sessions] });
        continue;
      }
      for (const session of one.sessions) {
        const same = last.sessions.findIndex((other) => session.session && other.session === session.session);
        if (same < 0) last.sessions.push(session);
        else last.sessions[same] = { ...last.sessions[same]!, lines: [...last.sessions[same]!.lines, ...session.lines], rest: [...(last.sessions[same]!.rest ?? []), ...(session.rest ?? [])] };
      }
    }
  }
  return days;
}

export function Timeline() {
  const first = useAnswer<Days>("/days", { limit: AT_ONCE });
  const [older, setOlder] = useState<Days[]>([]);
  const [trouble, setTrouble] = useState<Problem>();
  const [waiting, setWaiting] = useState(false);
  const [only, setOnly] = useState<Set<Happened>>(new Set());
  const mounted = useRef(true);
  useEffect(() => () => void (mounted.current = false), []);
  // Another project is another time; after a change the pages that are shown are
  // asked again, and stay until then: nobody loses his place.
  useEffect(() => setOlder([]), [project.value]);
  const shownPages = useRef(0);
  shownPages.current = older.length;
  useEffect(() => {
    if (shownPages.current === 0) return;
    void (async () => {
      let pages: Days[] = [];
      let at: string | null | undefined = (await api.get<Days>("/days", { limit: AT_ONCE })).next;
      for (let left = shownPages.current; left > 0 && at; left--) ({ pages, next: at } = await more(pages, at));
      if (mounted.current) setOlder(pages);
    })().catch(complain);
  }, [stale.value]);

  const pages = first.data ? [first.data, ...older] : [];
  const next = pages[pages.length - 1]?.next ?? undefined;
  const days = joinDays(pages);

  const more = async (from: Days[], before: string | undefined | null): Promise<{ pages: Days[]; next?: string | null }> => {
    if (!before) return { pages: from };
    const page = await api.get<Days>("/days", { limit: AT_ONCE, before });
    return { pages: [...from, page], next: page.next };
  };
  const goOn = async () => {
    if (!next || waiting) return;
    setWaiting(true);
    setTrouble(undefined);
    try {
      const { pages } = await more(older, next);
      if (mounted.current) setOlder(pages);
    } catch (problem) {
      if (problem instanceof Problem) setTrouble(problem);
      else complain(problem);
    }
    setWaiting(false);
  };
  const jump = async (to: string) => {
    if (!to) return;
    setWaiting(true);
    let found = older, at = next;
    try {
      for (let tries = 0; tries < JUMPS && at && (joinDays([first.data!, ...found]).pop()?.day ?? "") > to; tries++) {
        const step = await more(found, at);
        found = step.pages;
        at = step.next ?? undefined;
      }
    } catch (problem) {
      complain(problem);
    }
    if (!mounted.current) return;
    setOlder(found);
    setWaiting(false);
    const there = joinDays([first.data!, ...found]).find(({ day }) => day <= to);
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const head = document.getElementById(`day-${there?.day}`);
      head?.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
      head?.focus({ preventScroll: true });
    }));
  };

  const totals = countOf(days.flatMap((one) => one.sessions));
  const toggle = (word: Happened) => {
    const changed = new Set(only);
    if (!changed.delete(word)) changed.add(word);
    setOnly(changed);
  };
  const shown = days
    .map((one) => ({
      ...one,
      rows: one.sessions.map((session) => ({ session, rows: rowsOf(session).filter(({ line }) => only.size === 0 || only.has(line.happened)) })).filter(({ rows }) => rows.length > 0),
    }))
    .filter(({ rows }) => rows.length > 0);
  const oldest = days[days.length - 1]?.day;
  return (
    <Page
      title="Timeline"
      lead="What was learned, corrected and forgotten, by day and session."
      state={first}
      rows={9}
      empty={first.data && days.length === 0 ? { text: "Nothing was learned yet. What you or an agent say will be told here, day by day.", command: "engram remember 'we deploy on fridays'" } : undefined}
      keys={[
        { key: "[", label: "older days", run: () => void goOn() },
        { key: "]", label: "back to today", run: () => scrollTo({ top: 0 }) },
      ]}
    >
      <div class="timeline-head">
        <div class="sieve">
          {ALL.map((word) => (
            <Chip key={word} on={only.has(word)} press={() => toggle(word)} count={totals[word] ?? 0} disabled={!totals[word] && !only.has(word)}>
              <span aria-hidden="true">{HAPPENED[word].mark}</span> {word}
            </Chip>
          ))}
          <label class="jump">
            <span>go to</span>
            <input type="date" max={isoDay(new Date())} onChange={({ currentTarget: { value } }) => isWithin(value, EARLIEST, isoDay(new Date())) && void jump(value)} />
          </label>
        </div>
        {days.length > 1 && (
          <div class="timeline-spark" style={{ maxWidth: `${Math.max(160, Math.min(60, days.length) * 20)}px` }}><Spark label="what happened, by day" height={36} points={days.slice(0, 60).reverse().map((one) => ({ label: dayName(one.day), value: Object.values(countOf(one.sessions)).reduce((sum, count) => sum + count, 0) }))} /></div>
        )}
      </div>
      {shown.length === 0 && <p class="nothing">Nothing of this kind in the days that are shown.</p>}
      <div data-rows>
        {shown.map((one) => (
          <section class="day" key={one.day} aria-labelledby={`day-${one.day}`}>
            <h2 id={`day-${one.day}`} tabIndex={-1}>
              <span>{dayName(one.day)}</span>
              <span class="quiet day-counts">{ALL.flatMap((word) => { const count = countOf(one.sessions)[word]; return count ? [`${count} ${word}`] : []; }).join(" · ")}</span>
            </h2>
            {one.rows.map(({ session, rows }, at) => (
              <Session key={session.session ?? `alone-${at}`} session={session} rows={rows} />
            ))}
          </section>
        ))}
      </div>
      {trouble && <Trouble problem={trouble} again={() => void goOn()} />}
      <footer class="more">
        {next ? (
          <button type="button" disabled={waiting} onClick={() => void goOn()}>
            {waiting ? "older days are being read …" : "older days"} <kbd>[</kbd>
          </button>
        ) : (
          oldest && <p class="quiet">That is all there is: it began {/^(To|Yester)day$/.test(dayName(oldest)) ? dayName(oldest).toLowerCase() : `on ${dayName(oldest)}`}.</p>
        )}
      </footer>
    </Page>
  );
}

function Session({ session, rows }: { session: DaySession; rows: Row[] }) {
  return (
    <div class={`day-session${session.session ? "" : " alone"}`}>
      {session.session ? (
        <h3>
          <span class="day-summary">{session.summary ?? `session ${shortId(session.session)}`}</span>
          {session.agent && <span class="quiet">{session.agent}</span>}
        </h3>
      ) : (
        <h3 class="quiet">outside of a session</h3>
      )}
      <ul class="plain-list">
        {rows.map((row) => (
          <One key={row.line.operation + row.line.memory} row={row} session={session.session ?? undefined} />
        ))}
      </ul>
    </div>
  );
}

function One({ row: { line, older, more, rest }, session }: { row: Row; session?: string }) {
  const to = ({ memory, scope }: DayLine) => memoryHref(memory, scope === "session" ? session : undefined);
  const [open, setOpen] = useState(false);
  const untold = rest.reduce((sum, one) => sum + one.memories, 0);
  const { mark, tone, word } = HAPPENED[line.happened];
  return (
    <li class={`day-line${line.undone ? " undone" : ""}`}>
      <time dateTime={line.at}>{clock(line.at, false)}</time>
      <span class={`day-mark tone-${tone}`} aria-hidden="true">{mark}</span>
      <div class="day-text">
        {older && (
          <a class="day-older" href={to(older)}>
            <del>{older.text || "its text is gone"}</del>
          </a>
        )}
        <a data-row href={to(line)}>
          <Text line={line} />
        </a>
        <span class="quiet day-words">
          {word} · {said(line.kind)} · {line.scope} · {line.cause !== line.happened ? `${cause(line.cause)} by ${actor(line.actor)}` : `by ${actor(line.actor)}`}
          {line.undone && <b> · taken back</b>}
        </span>
        {more.length > 0 && (
          <>
            <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? "fold" : `and ${plural(more.length + untold, "other")} with it`}
            </button>
            {open && (
              <ul class="plain-list day-more">
                {more.map((other) => (
                  <li key={other.memory}>
                    <a href={to(other)}><Text line={other} /></a>
                    <span class="quiet"> {other.happened}</span>
                  </li>
                ))}
                {rest.map(({ happened, memories }) => (
                  <li key={happened} class="quiet">{`and ${plural(memories, "other")} ${happened}, which search lists`}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      {line.undoable && !line.undone && (
        <Act class="small" label={`undo: ${line.text}`} run={() => undo(line.operation, { query: { session: line.scope === "session" ? session : undefined } })}>
          undo
        </Act>
      )}
    </li>
  );
}

/** Struck through: what is not there any more, because it was forgotten or its learning taken back. */
function Text({ line }: { line: DayLine }) {
  const gone = line.undone ? line.happened === "learned" : line.happened === "forgotten";
  return gone ? <del>{line.text || "its text is gone"}</del> : <>{line.text || "its text is gone"}</>;
}
