// What happens now: the feed, and how the daemon fares.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Activity, Health, HookStats, SettingsListed, Stats } from "../shapes";
import { useAnswer } from "../lib/api";
import { countsOf, GROUPS, lineOf, shown, type Group } from "../lib/feed";
import { age, bytes, clock, dayName, milliseconds, moment, number, percent, plural, span } from "../lib/format";
import { onActivity } from "../lib/live";
import { CONTENT, usePainted } from "../lib/paint";
import { asleep, feed, stream } from "../lib/store";
import { deadlineKey, quantile, silentFor } from "../lib/times";
import { storeName } from "../lib/words";
import { Bar } from "../parts/Bar";
import { Card } from "../parts/Card";
import { Chip } from "../parts/Chip";
import { Copy } from "../parts/Copy";
import { Empty } from "../parts/Empty";
import { Icon } from "../parts/icons";
import { Page } from "../parts/Page";
import { Switch } from "../parts/Switch";
import { Waiting } from "../parts/Waiting";

/** Not more often than this are health and counts asked for again. */
const AGAIN = 5000;

export function Now() {
  const health = useAnswer<Health>("/health");
  const stats = useAnswer<Stats>("/stats");
  const settings = useAnswer<SettingsListed>("/settings");
  const [paused, setPaused] = useState(false);
  const [side, setSide] = useState(false);
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const stop = onActivity([], () => {
      due ??= setTimeout(() => {
        due = undefined;
        health.again();
        stats.again();
      }, AGAIN);
    });
    return () => (clearTimeout(due), stop());
  }, []);
  const deadlines = new Map(settings.data?.settings.filter(({ key }) => key.startsWith("hook.")).map(({ key, value }) => [key, Number(value)]));
  const broken = health.problem !== undefined && !health.data;
  return (
    <Page
      title="Now"
      lead="What is heard, kept, recalled and told, as it happens."
      keys={[{ key: "l", label: paused ? "let the feed go on" : "pause the feed", run: () => setPaused(!paused) }]}
      actions={
        <>
          <Live paused={paused} />
          <button type="button" aria-pressed={paused} onClick={() => setPaused(!paused)} title="l">
            <Icon name={paused ? "play" : "pause"} size={14} /> {paused ? "go on" : "pause"}
          </button>
        </>
      }
    >
      {stats.data && <Silent hooks={stats.data.hooks} />}
      <Switch of={["Activity", "Health"]} on={side ? 1 : 0} choose={(at) => setSide(at === 1)} />
      <div class={`columns${side ? " second" : ""}`}>
        <Feed paused={paused} />
        <div class="stack">
          <Card title="Health" state={health} rows={6}>
            {health.data && <HealthOf health={health.data} stats={stats.data} />}
          </Card>
          {/* One trouble is told once: what follows waits for the same answer. */}
          {!broken && <Card title="Budgets" state={health} rows={4}>{health.data && <Budgets health={health.data} />}</Card>}
          {!(broken && stats.problem && !stats.data) && <Card title="Hooks" state={stats} rows={6}>{stats.data && <Hooks hooks={stats.data.hooks} deadlines={deadlines} />}</Card>}
          {!broken && <Card title="Next dream" state={health} rows={2}>{health.data && <NextDream health={health.data} />}</Card>}
        </div>
      </div>
    </Page>
  );
}

function Live({ paused }: { paused: boolean }) {
  const state = paused ? "paused" : stream.value;
  const words = { off: "not live", opening: "opening", open: "live", paused: "paused", broken: "not live, trying again" }[state];
  return (
    <span class={`live ${state}`} role="status">
      <span aria-hidden="true">{state === "open" ? "●" : state === "paused" ? "❚❚" : "○"}</span> {words}
    </span>
  );
}

/** An agent whose hooks come while nothing is kept is the one failure nobody notices. */
function Silent({ hooks }: { hooks: Record<string, HookStats> }) {
  const quiet = Object.entries(hooks).flatMap(([agent, did]) => {
    const since = silentFor(did);
    return since === undefined ? [] : [{ agent, since }];
  });
  return (
    <>
      {quiet.map(({ agent, since }) => (
        <div class="note bad loud" role="alert" key={agent}>
          <p>
            <strong>{since === "ever" ? `Nothing was ever kept of ${agent}.` : `Nothing of ${agent} was kept for ${age(new Date(since).toISOString()).replace(" ago", "")}.`}</strong> Its hooks come and somebody types.
          </p>
          <Copy text="engram doctor" />
        </div>
      ))}
    </>
  );
}

function Feed({ paused }: { paused: boolean }) {
  const [groups, setGroups] = useState<ReadonlySet<Group>>(new Set());
  // While one reads further down, or has paused, what is new waits above.
  const [until, setUntil] = useState<number | undefined>(undefined);
  const list = useRef<HTMLOListElement>(null);
  const all = feed.value;
  const newest = all[0]?.number;
  useEffect(() => setUntil(paused ? (feed.peek()[0]?.number ?? 0) : undefined), [paused]);
  useEffect(() => {
    const look = () => {
      if (paused) return;
      const reads = scrollY > 160 || (list.current?.contains(document.activeElement) ?? false);
      setUntil((old) => (reads ? (old ?? feed.peek()[0]?.number ?? 0) : undefined));
    };
    addEventListener("scroll", look, { passive: true });
    addEventListener("focusin", look);
    return () => (removeEventListener("scroll", look), removeEventListener("focusin", look));
  }, [paused]);

  const there = until === undefined ? all : all.filter(({ number: one }) => one <= until);
  const lines = shown(there, groups);
  const waiting = until === undefined ? 0 : shown(all.filter(({ number: one }) => one > until), groups).length;
  const counts = countsOf(there);
  const toggle = (group: Group) => {
    const next = new Set(groups);
    if (!next.delete(group)) next.add(group);
    setGroups(next);
  };
  const seen = usePainted(lines, 10);
  const days = seen.map(({ at }) => dayName(at));
  return (
    <section class="card flush feed" aria-labelledby="feed-title">
      <header>
        <h2 id="feed-title">Activity</h2>
        <button type="button" class={`small new-ones${waiting ? "" : " none"}`} aria-hidden={!waiting} tabIndex={waiting ? 0 : -1} onClick={() => (setUntil(paused ? newest : undefined), (document.activeElement as HTMLElement | null)?.blur(), scrollTo({ top: 0 }))}>
          {plural(waiting, "new one")}
        </button>
      </header>
      <div class="chips feed-chips" role="group" aria-label="show only">
        {GROUPS.map((group) => (
          <Chip key={group} on={groups.has(group)} press={() => toggle(group)} count={counts[group]}>
            {group}
          </Chip>
        ))}
      </div>
      {!lines.length && (stream.value === "off" || (stream.value === "opening" && !all.length)) ? (
        <div class="feed-wait"><Waiting rows={8} height={40} /></div>
      ) : !lines.length ? (
        stream.value === "broken" && !all.length ? <Empty text="The feed cannot be read now; it is tried again by itself." command="engram ui" /> : groups.size ? <Empty text="Nothing of that kind has happened since the daemon started." /> : <Empty text="Nothing has happened since the daemon started. What agents say, what is kept of it and what they are told appears here." command="engram install" />
      ) : (
        <div role="log" aria-live="off" aria-label="activity, newest first">
          <ol class="feed-lines" data-rows ref={list}>
            {seen.map((activity, at) => (
              <Row key={activity.number} activity={activity} day={days[at] !== days[at - 1] && (at > 0 || days[at] !== "Today") ? days[at] : undefined} />
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

function Row({ activity, day }: { activity: Activity; day?: string }) {
  const { mark, word, tone, text, quote, to } = lineOf(activity);
  const from = [activity.scope, activity.agent].filter(Boolean).join(" · ");
  const what = quote ? <q class="quote">{quote}</q> : text;
  return (
    <>
      {day && <li class="feed-day"><h3>{day}</h3></li>}
      <li class={`feed-row tone-${tone}`}>
        <time dateTime={activity.at} title={moment(activity.at)}>{clock(activity.at)}</time>
        <span class="feed-what"><span class="feed-mark" aria-hidden="true">{mark}</span>{word}</span>
        <div class="feed-text" {...CONTENT}>
          {to ? <a href={to} data-row>{what}</a> : <span>{what}</span>}
          {(quote || from) && (
            <span class="feed-more">
              {quote && text && <span>{text}</span>}
              {from && <span>{from}</span>}
            </span>
          )}
        </div>
      </li>
    </>
  );
}

function HealthOf({ health, stats }: { health: Health; stats?: Stats }) {
  const saved = Object.values(stats?.hooks ?? {}).flatMap(({ last_saved_at }) => last_saved_at ?? []).sort().at(-1);
  const problems = [
    health.capture.problem && `reading what was heard failed: ${health.capture.problem}`,
    health.without_model && `no model makes vectors: ${health.without_model}`,
    health.llm?.problem && `the language model is not asked: ${health.llm.problem}`,
    health.rejected > 0 && `${plural(health.rejected, "write")} of the spool could not be taken in`,
    health.spooled > 0 && `${plural(health.spooled, "write")} ${health.spooled === 1 ? "waits" : "wait"} in the spool`,
    health.team_problem && `how it stands with the team is not known: ${health.team_problem}`,
    health.capture.refused > 0 && `${number(health.capture.refused)} refused: more than a session may send, or not allowed`,
    ...(stats?.gaps ?? []).map((gap) => ("problem" in gap ? `${gap.gap.replaceAll("_", " ")}: ${gap.problem}` : "only words are compared: no vectors")),
  ].filter((one): one is string => Boolean(one));
  return (
    <>
      {problems.length > 0 ? (
        <ul class="problems">{problems.map((problem) => <li key={problem}><span aria-hidden="true">✕</span> {problem}</li>)}</ul>
      ) : asleep.value ? (
        <p class="well unknown"><span aria-hidden="true">○</span> Nobody answers; this is how it was.</p>
      ) : (
        <p class="well"><span aria-hidden="true">✓</span> Nothing is wrong.</p>
      )}
      <dl class="facts">
        <div><dt>last kept</dt><dd title={saved && moment(saved)}>{saved ? age(saved) : "nothing yet"}</dd></div>
        {stats?.scopes.map((scope) => <div key={scope.scope}><dt>memories, {scope.scope}</dt><dd>{number(scope.memories)}</dd></div>)}
        <div><dt>heard</dt><dd>{plural(health.capture.heard, "event")}{health.capture.unread ? `, ${health.capture.unread} unread` : ""}</dd></div>
        <div><dt>secrets masked</dt><dd>{number(health.masked)}</dd></div>
        <div><dt>stores open</dt><dd>{health.open_stores.length}, {plural(health.open_sessions, "session")}</dd></div>
        <div><dt>memory in use</dt><dd>{health.resident_bytes === null ? "unknown" : bytes(health.resident_bytes)}</dd></div>
        <div><dt>engram {health.version}</dt><dd title={moment(health.started_at)}>for {span(Date.now() - Date.parse(health.started_at))}</dd></div>
        <div><dt>sleeps</dt><dd title={moment(health.idle_exit_at)}>{age(health.idle_exit_at)}, unless asked</dd></div>
      </dl>
    </>
  );
}

/** What becomes of what is above a budget. */
const BEYOND = { shed: "shed", spool: "spooled", refuse: "refused" } as const;

function Budgets({ health }: { health: Health }) {
  const lines = health.budgets ?? [];
  if (!lines.length) return <p class="quiet">Nothing is limited here.</p>;
  return (
    <div class="bars">
      {lines.map(({ what, used, limit, unit, behaviour, over }) => {
        const near = over || (limit > 0 && used / limit >= 0.8);
        const beyond = behaviour ? `${over ? ", over: " : near ? ", nearly used up, then " : ", then "}${BEYOND[behaviour]}` : over ? ", over" : "";
        return <Bar key={`${what} ${unit}`} label={what} value={used} of={limit} pattern={near ? "lines" : "solid"} text={`${number(used)} of ${number(limit)} ${unit}${beyond}`} />;
      })}
    </div>
  );
}

function Hooks({ hooks, deadlines }: { hooks: Record<string, HookStats>; deadlines: Map<string, number> }) {
  const agents = Object.entries(hooks);
  if (!agents.length) return <Empty text="No agent's hook has come yet." command="engram install" />;
  return (
    <div class="stack">
      {agents.map(([agent, did]) => (
        <div key={agent} class="hook-of">
          {agents.length > 1 && <h3>{agent}</h3>}
          {did.problem && <p class="problems">✕ {did.problem}</p>}
          <table class="hook-times">
            <caption class="unseen">how long the hooks of {agent} took</caption>
            <thead>
              <tr><th scope="col">{agent}</th><th scope="col" class="number">p50</th><th scope="col" class="number">p99</th><th scope="col" class="number">may</th></tr>
            </thead>
            <tbody>
              {Object.entries(did.events).map(([event, times]) => {
                const [half, most, may] = [quantile(times, 0.5), quantile(times, 0.99), deadlines.get(deadlineKey(event))];
                const late = may !== undefined && most !== undefined && most > may;
                return (
                  <tr key={event} title={`${number(times.count)} times`}>
                    <th scope="row">{event}<Bar bare label={`${event}, p99 of what it may take`} value={most ?? 0} of={may ?? 300} text={may ? percent((most ?? 0) / may) : ""} pattern={late ? "lines" : "solid"} /></th>
                    <td class="number">{told(half)}</td>
                    <td class={`number${late ? " late" : ""}`}>{told(most)}{late && <span class="unseen"> too long</span>}</td>
                    <td class="number quiet">{may === undefined ? "" : milliseconds(may)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
          <dl class="facts">
            <div><dt>told at starts</dt><dd>{number(did.start_chars)} characters</dd></div>
            <div><dt>told beside prompts</dt><dd>{number(did.prompt_chars)} characters</dd></div>
            <div><dt>memories shown</dt><dd>{number(did.shown)}, {number(did.used)} used</dd></div>
          </dl>
        </div>
      ))}
    </div>
  );
}

const told = (value: number | undefined) => (value === undefined ? "" : value === Infinity ? "> 5 s" : `≤ ${milliseconds(value)}`.replace(".0 ", " "));

function NextDream({ health }: { health: Health }) {
  const next = health.next_dream ?? [];
  if (!next.length) return <p class="quiet">None is due. One follows when a session ends, and <a href="#/dream">Dream</a> starts one.</p>;
  return (
    <dl class="facts">
      {next.map(({ store, after_sessions, depth, due }) => (
        <div key={store} title={storeName(store).where}>
          <dt>{storeName(store).name}</dt>
          <dd>{depth}, {due ? "now due" : after_sessions === undefined ? "when a session ends" : `after ${plural(after_sessions, "more session")}`}</dd>
        </div>
      ))}
    </dl>
  );
}
