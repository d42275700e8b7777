import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CandidateLine, Candidates, Evolved, EvolutionReports, Insight, Reflections, SkillLine, SkillsFound, SkillState, StoreWeights, WeightRow, WeightsShown } from "../shapes";
import { api, useAnswer } from "../lib/api";
import { age, day, moment, number, percent, plural, share, span } from "../lib/format";
import { memoryHref } from "../lib/store";
import { shortId } from "../lib/ulid";
import { said, storeName } from "../lib/words";
import { Bar } from "../parts/Bar";
import { Card } from "../parts/Card";
import { Chip, Word } from "../parts/Chip";
import { Copy } from "../parts/Copy";
import { Dialog } from "../parts/Dialog";
import { Diff } from "../parts/Diff";
import { Page } from "../parts/Page";
import { toast } from "../parts/Toast";
import { Act } from "./Act";
import { Linked } from "./Linked";
import { keyName, setCommand, shareLines } from "./told";

const STATES: Record<WeightRow["state"], { word: string; mark: string; tone: string; means: string }> = {
  learning: { word: "learning", mark: "◔", tone: "accent", means: "every use moves it a little" },
  converged: { word: "settled", mark: "●", tone: "good", means: "nothing moves any more; it waits for more votes" },
  too_few: { word: "too few votes", mark: "◌", tone: "plain", means: "the default is in force until there is more to go by" },
  rolled_back: { word: "rolled back", mark: "↺", tone: "doubt", means: "the last change made the log's answers worse, and was not kept" },
  off: { word: "off", mark: "○", tone: "past", means: "the setting learning.weights is off" },
};

export function Evolution() {
  const weights = useAnswer<WeightsShown>("/weights");
  const candidates = useAnswer<Candidates>("/evolution/candidates", { limit: 50 });
  const report = useAnswer<EvolutionReports>("/evolution/report");
  const skills = useAnswer<SkillsFound>("/skills", { limit: 50 });
  const insights = useAnswer<Reflections>("/insights", { limit: 50 });
  // Where nothing answers it is said once, not five times.
  const mute = [weights, candidates, report, skills, insights].every((one) => one.problem && one.data === undefined);
  return (
    <Page title="Evolution" lead={<Lead report={report.data} />} state={mute ? candidates : undefined}>
      <div class="stack">
        <CandidatesCard state={candidates} />
        <WeightsCard state={weights} />
        <div class="columns even">
          <SkillsCard state={skills} />
          <InsightsCard state={insights} />
        </div>
        <ReportCard state={report} />
      </div>
    </Page>
  );
}

function Lead({ report }: { report?: EvolutionReports }) {
  const next = report?.stores.flatMap((one) => (one.next ? [one.next] : []))[0];
  return (
    <>
      What use taught: which way of searching counts, what should be put right, what became a skill.
      {next && <> Next {next.at ? `${age(next.at)}, or ` : ""}after {plural(next.updates_left, "more sign")} of use.</>}
    </>
  );
}

type State<T> = ReturnType<typeof useAnswer<T>>;

// Weights

function WeightsCard({ state }: { state: State<WeightsShown> }) {
  const stores = state.data?.stores ?? [];
  const [at, setAt] = useState(0);
  const rows = stores.flatMap((store) => store.rows.map((row) => ({ store, row })));
  const shown = rows[Math.min(at, rows.length - 1)];
  return (
    <Card
      title="Weights over time" state={state} rows={5}
      actions={rows.length > 1 && (
        <label class="pick">
          <span class="unseen">which weights</span>
          <select value={at} onChange={(event) => setAt(Number(event.currentTarget.value))}>
            {rows.map(({ store, row }, place) => <option key={place} value={place}>{storeName(store.store).name}: {keyName(row)}</option>)}
          </select>
        </label>
      )}
    >
      {shown ? <Weights store={shown.store} row={shown.row} /> : <p class="quiet">Nothing was learned yet: the defaults are in force until answers were used a few times.</p>}
    </Card>
  );
}

function Weights({ store, row }: { store: StoreWeights; row: WeightRow }) {
  const { word, mark, tone, means } = STATES[row.state] ?? STATES.learning;
  const own = store.history.filter(({ key }) => key.subject === row.subject && (key.query_type ?? "") === (row.query_type ?? "") && key.with_model === row.with_model);
  const rates = store.rates.filter((one) => row.subject === "arms" && one.subject === row.subject && (one.query_type ?? "") === (row.query_type ?? "") && one.with_model === row.with_model);
  return (
    <div class="weights">
      <p>
        <Word tone={tone} title={means}>{mark} {word}</Word> {row.reason || means}
        <span class="quiet"> · {plural(row.votes, "vote")}{row.updated_at ? ` · moved ${age(row.updated_at)}` : ""}</span>
      </p>
      <ShareChart row={row} history={store.history} />
      {rates.length > 0 && (
        <section>
          <h3>How often each arm was right where they disagreed</h3>
          <div class="rates">
            {rates.map((one) => (
              <Bar key={one.word} label={said(one.word)} value={one.rate} of={1} mark={0.5} pattern={one.sure ? "solid" : "hollow"} text={`${percent(one.rate)} of ${plural(one.votes, "vote")}${one.sure ? "" : ", may be chance"}`} />
            ))}
          </div>
        </section>
      )}
      {own.length > 0 && (
        <details>
          <summary>{plural(own.length, "change")}</summary>
          <ul class="lines changes">
            {own.map((change) => (
              <li key={change.at + change.reason}>
                <time class="quiet" dateTime={change.at}>{moment(change.at)}</time>
                <span>{change.reason}</span>
                <span class="quiet numbers">{change.after ? Object.entries(change.after).map(([name, value]) => `${name} ${share(value)}`).join(" · ") : "the defaults again"}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {store.noise > 0 && <p class="quiet">{plural(store.noise, "memory is", "memories are")} shown time and again and never used.</p>}
    </div>
  );
}

const DASHES = ["", "7 4", "2 4", "10 3 2 3", "4 2", "12 4"];

function ShareChart({ row, history }: { row: WeightRow; history: StoreWeights["history"] }) {
  const now = Date.now();
  const first = Math.min(now - 7 * 864e5, ...history.map(({ at }) => Date.parse(at)));
  const lines = useMemo(() => shareLines(row, history, first, now), [row, history]);
  const figure = useRef<HTMLElement>(null);
  const [wide, setWide] = useState(0);
  // As wide as there is room, so that words keep their size.
  useLayoutEffect(() => {
    const fit = () => setWide(Math.max(260, figure.current?.clientWidth ?? 640));
    fit();
    const watching = new ResizeObserver(fit);
    if (figure.current) watching.observe(figure.current);
    return () => watching.disconnect();
  }, []);
  const high = 200, left = 34, right = 108, low = 22, top = 8;
  const most = Math.min(1, Math.ceil((Math.max(...lines.flatMap(({ points, home }) => [home, ...points.map((one) => one.share)])) + 0.05) * 5) / 5);
  const x = (at: number) => left + ((at - first) / Math.max(1, now - first)) * (wide - left - right);
  const y = (value: number) => top + (1 - value / most) * (high - top - low);
  // Names stand apart, however near the lines end.
  const ends = lines.map((line, at) => ({ at, y: y(line.points[line.points.length - 1]!.share) })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < ends.length; i++) ends[i]!.y = Math.max(ends[i]!.y, ends[i - 1]!.y + 15);
  const over = (ends[ends.length - 1]?.y ?? 0) - (high - low);
  if (over > 0) for (const end of ends) end.y -= over;
  const named = new Map(ends.map((end) => [end.at, end.y]));
  return (
    <figure class="shares" ref={figure}>
      <svg viewBox={`0 0 ${wide || 640} ${high}`} height={high} role="img" aria-label={`shares over time: ${lines.map(({ word, home }) => `${word} from ${share(home)} to ${share(row.now[word] ?? home)}`).join(", ")}`}>
        {Array.from({ length: Math.round(most / 0.2) + 1 }, (_, step) => step * 0.2).map((value) => (
          <g key={value} class="grid"><line x1={left} x2={wide - right} y1={y(value)} y2={y(value)} /><text x={left - 6} y={y(value) + 4} text-anchor="end">{share(value)}</text></g>
        ))}
        <text x={left} y={high - 4}>{day(new Date(first))}</text>
        <text x={wide - right} y={high - 4} text-anchor="end">now</text>
        {lines.map(({ word, points, home }, at) => {
          const end = points[points.length - 1]!;
          let path = `M${x(points[0]!.at).toFixed(1)} ${y(points[0]!.share).toFixed(1)}`;
          for (const point of points.slice(1)) path += `H${x(point.at).toFixed(1)}V${y(point.share).toFixed(1)}`;
          return (
            <g key={word} class={`hue-${at % 6}`}>
              <line class="home" x1={left} x2={wide - right} y1={y(home)} y2={y(home)} />
              <path class="share" d={path} stroke-dasharray={DASHES[at % DASHES.length]} />
              <path class="lead-to" d={`M${wide - right} ${y(end.share)}L${wide - right + 8} ${named.get(at)}`} />
              <text class="share-name" x={wide - right + 12} y={named.get(at)! + 4}>{word} {share(end.share)}</text>
            </g>
          );
        })}
      </svg>
      <figcaption class="quiet">Solid or dashed: the share of each. Dotted: its default.</figcaption>
      <details class="numbers-of">
        <summary>the numbers</summary>
        <table>
          <thead><tr><th scope="col">what</th><th scope="col">default</th><th scope="col">now</th></tr></thead>
          <tbody>{lines.map(({ word, home }) => <tr key={word}><th scope="row">{word}</th><td class="number">{share(home)}</td><td class="number">{share(row.now[word] ?? home)}</td></tr>)}</tbody>
        </table>
      </details>
    </figure>
  );
}

// Candidates

const PRIORITY: Record<CandidateLine["priority"], { mark: string; tone: string }> = {
  critical: { mark: "▲▲", tone: "wrong" },
  high: { mark: "▲", tone: "doubt" },
  medium: { mark: "◆", tone: "plain" },
  low: { mark: "▽", tone: "past" },
};
const CRITERIA: Record<string, string> = {
  low_q: "proved of little use",
  stale: "not used for long",
  unlinked_processes: "alike procedures, no skill",
  similar_pairs: "nearly the same",
};
/** What can be done, by the word of what is suggested. */
const DOES: Record<string, { action: string; name: string; done: string; text?: boolean; skill?: boolean }> = {
  deprecated: { action: "deprecate", name: "deprecate", done: "Deprecated" },
  refined: { action: "refine", name: "refine …", done: "Refined", text: true },
  merged: { action: "merge", name: "merge", done: "Merged" },
  archived: { action: "archive", name: "archive", done: "Archived" },
  induced: { action: "induce", name: "make a skill …", done: "A skill was made", skill: true },
};

function CandidatesCard({ state }: { state: State<Candidates> }) {
  const [only, setOnly] = useState("");
  const [doing, setDoing] = useState<CandidateLine>();
  const all = state.data?.candidates ?? [];
  const criteria = [...new Set(all.map((one) => one.criteria))];
  const shown = all.filter((one) => !only || one.criteria === only);
  return (
    <Card title="Candidates" state={state} rows={4} actions={<span class="quiet">{state.data ? `${plural(state.data.evaluated, "memory", "memories")} looked at` : ""}</span>}>
      {criteria.length > 1 && (
        <div class="chips under">
          {criteria.map((one) => <Chip key={one} on={only === one} press={() => setOnly(only === one ? "" : one)} count={all.filter((other) => other.criteria === one).length}>{CRITERIA[one] ?? said(one)}</Chip>)}
        </div>
      )}
      {all.length === 0 && <p class="quiet">Nothing should be put right: no memory keeps failing, none says what another says.</p>}
      <ul class="lines" data-rows>
        {shown.map((one) => <Candidate key={one.criteria + one.nodes.join()} one={one} form={() => setDoing(one)} />)}
      </ul>
      {doing && <EvolveForm one={doing} close={() => setDoing(undefined)} />}
    </Card>
  );
}

async function evolve(one: CandidateLine, more: Record<string, unknown> = {}): Promise<void> {
  const does = DOES[one.suggested]!;
  const reply = await api.change<Evolved>("POST", "/evolution/actions", { action: does.action, memories: one.nodes, reason: one.why, ...more });
  const files = reply.files?.map(({ file, done }) => `${file} ${done}`).join(", ");
  toast(files ? `${does.done}: ${files}` : does.done, reply.operation);
}

function Candidate({ one, form }: { one: CandidateLine; form: () => void }) {
  const { mark, tone } = PRIORITY[one.priority] ?? PRIORITY.low;
  const does = DOES[one.suggested];
  const missing = one.missing ?? [];
  return (
    <li class="candidate">
      <div class="candidate-head">
        <Word tone={tone}>{mark} {one.priority}</Word>
        <span class="quiet">{CRITERIA[one.criteria] ?? said(one.criteria)} · {one.scope}</span>
      </div>
      <ul class="candidate-texts">
        {one.nodes.map((id, at) => <li key={id}><a data-row={at === 0 || undefined} href={memoryHref(id)}>{one.texts[at] || shortId(id)}</a></li>)}
      </ul>
      <p><Linked text={one.why} /></p>
      <p class="quiet numbers">
        utility {share(one.utility)} · {plural(one.uses, "use")} · {one.idle_days > 0 ? `${plural(one.idle_days, "day")} idle` : "used today"}{one.similarity !== undefined && one.similarity !== null ? ` · ${percent(one.similarity)} alike` : ""}
      </p>
      <div class="candidate-does">
        {does && <Act class="small" disabled={missing.length > 0} run={does.text || does.skill ? form : () => evolve(one)}>{does.name}</Act>}
        {missing.length > 0 && <span class="missing">still wanting: {missing.join("; ")}</span>}
      </div>
    </li>
  );
}

function EvolveForm({ one, close }: { one: CandidateLine; close: () => void }) {
  const does = DOES[one.suggested]!;
  const [text, setText] = useState(does.text ? (one.texts[0] ?? "") : "");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const right = does.skill ? /^[a-z0-9-]{1,64}$/.test(name) && description.trim() !== "" : text.trim() !== "" && text.trim() !== (one.texts[0] ?? "").trim();
  const run = async () => {
    await evolve(one, does.skill ? { name, description: description.trim(), ...(text.trim() ? { text: text.trim() } : {}) } : { text: text.trim() });
    close();
  };
  return (
    <Dialog title={does.skill ? "Make a skill of them" : "A better text"} close={close} wide>
      {does.skill ? (
        <>
          <p class="quiet">Of {plural(one.nodes.length, "procedure")}: {one.texts.join(" · ")}</p>
          <div class="field"><label for="skill-name">name, in small letters, digits and hyphens</label><input id="skill-name" data-first value={name} placeholder="release-the-shop" onInput={(event) => setName(event.currentTarget.value)} /></div>
          <div class="field"><label for="skill-about">when an agent should load it</label><input id="skill-about" maxLength={1024} value={description} onInput={(event) => setDescription(event.currentTarget.value)} /></div>
          <div class="field"><label for="skill-text">its text; empty: made of the procedures</label><textarea id="skill-text" value={text} onInput={(event) => setText(event.currentTarget.value)} /></div>
        </>
      ) : (
        <>
          <textarea data-first aria-label="the better text" value={text} onInput={(event) => setText(event.currentTarget.value)} />
          {right && <Diff older={one.texts[0] ?? ""} newer={text} />}
        </>
      )}
      <footer>
        <button type="button" onClick={close}>cancel</button>
        <Act class="primary" disabled={!right} run={run}>{does.skill ? "make it" : "refine"}</Act>
      </footer>
    </Dialog>
  );
}

// Skills and insights

const FILES: Record<SkillState, string> = {
  as_written: "✓ as engram wrote it",
  edited: "✎ edited by somebody; engram leaves it alone",
  missing: "! its file is missing",
  removed_by_hand: "○ somebody took its file away; engram leaves it so",
  foreign: "! somebody else's file is there",
};

function SkillsCard({ state }: { state: State<SkillsFound> }) {
  const skills = state.data?.skills ?? [];
  const own = skills.filter((one) => one.memory), brought = skills.filter((one) => !one.memory);
  return (
    <Card title="Skills" state={state}>
      {own.length === 0 && <p class="quiet">No skill yet. Three procedures that are alike and proved themselves can become one.</p>}
      <ul class="lines">{own.map((one) => <Skill key={one.name} one={one} />)}</ul>
      {brought.length > 0 && (
        <details class="under">
          <summary>{brought.length} that come with engram</summary>
          <ul class="lines">{brought.map((one) => <Skill key={one.name} one={one} />)}</ul>
        </details>
      )}
    </Card>
  );
}

function Skill({ one }: { one: SkillLine }) {
  const [open, setOpen] = useState(false);
  return (
    <li class="skill">
      <div class="skill-head">
        <b>{one.memory ? <a href={memoryHref(one.memory)}>{one.name}</a> : one.name}</b>
        {one.protected && <Word title="it evolves only with a justification">protected</Word>}
      </div>
      <p>{one.description}</p>
      {one.utility !== undefined && <Bar label="utility" value={one.utility} of={1} mark={0.5} text={`${share(one.utility)}, ${plural(one.tried, "use")}${one.failed ? `, ${number(one.failed)} failed` : ""}`} />}
      {one.file && <p class="quiet"><span class="path">{one.file}</span>{one.state && <> · {FILES[one.state]}</>}</p>}
      <button type="button" class="link" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "hide its text" : "show its text"}</button>
      {open && <pre class="skill-text">{one.text}</pre>}
    </li>
  );
}

const INSIGHTS: Record<string, string> = {
  retrieval_pattern: "what finds what is used",
  memory_gap: "asked often, answered never",
  consolidation_signal: "much about one thing",
  decay_anomaly: "put away too early",
  graph_insight: "what hangs together",
};

function InsightsCard({ state }: { state: State<Reflections> }) {
  const all = (state.data?.stores ?? []).flatMap((store) => store.insights.map((one) => ({ store: store.store, one })));
  const open = all.filter(({ one }) => !one.closed_at), closed = all.filter(({ one }) => one.closed_at);
  const last = (state.data?.stores ?? []).flatMap((store) => store.reflections).sort((a, b) => b.at.localeCompare(a.at))[0];
  return (
    <Card title="What the memory tells of itself" state={state}>
      {open.length === 0 && <p class="quiet">Nothing stands out. It reflects after every twentieth session.</p>}
      <ul class="lines">{open.map(({ one, store }) => <InsightLine key={store + one.id} one={one} />)}</ul>
      {closed.length > 0 && (
        <details class="under">
          <summary>{closed.length} no longer so</summary>
          <ul class="lines">{closed.map(({ one, store }) => <InsightLine key={store + one.id} one={one} />)}</ul>
        </details>
      )}
      {last && <p class="quiet under">Last reflected {age(last.at)}, in {span(last.duration_ms)}.</p>}
    </Card>
  );
}

function InsightLine({ one }: { one: Insight }) {
  return (
    <li class="insight">
      <div class="skill-head"><Word>{INSIGHTS[one.insight] ?? said(one.insight)}</Word><span class="quiet">seen {age(one.last_seen_at)}</span></div>
      <p><Linked text={one.description} /></p>
      {one.action_taken && <p class="quiet">Done about it: {one.action_taken}</p>}
      {one.proposal && (
        <div class="proposal">
          <p class="quiet">{one.proposal.why}</p>
          <Copy text={setCommand(one.proposal.setting, one.proposal.value)} />
        </div>
      )}
      {one.evidence.length > 0 && <p class="quiet">{plural(one.evidence.length, "piece")} of evidence</p>}
    </li>
  );
}

// Report

const TAKEN: [keyof EvolutionReports["stores"][number]["actions_taken"], string][] = [
  ["deprecated", "deprecated"], ["refined", "refined"], ["merged", "merged"], ["archived", "archived"], ["induced_skills", "skills made"],
];

function ReportCard({ state }: { state: State<EvolutionReports> }) {
  const stores = state.data?.stores ?? [];
  const any = stores.some((one) => one.details.length > 0);
  return (
    <Card title="What evolved" state={state}>
      {!any && <p class="quiet">Nothing evolved yet.</p>}
      {stores.filter((one) => one.details.length > 0).map((one) => (
        <section key={one.store} class="evolved">
          <h3>{storeName(one.store).name}</h3>
          <p>{one.summary}</p>
          <div class="figures">
            {TAKEN.map(([key, name]) => <div class="figure" key={key}><b>{number(one.actions_taken[key])}</b><span>{name}</span></div>)}
          </div>
          <details>
            <summary>{plural(one.details.length, "line")}</summary>
            <ul class="lines changes">
              {one.details.map((detail, at) => (
                <li key={at} class={detail.undone ? "undone" : undefined}>
                  <Word>{said(detail.action)}</Word>
                  <span>{detail.reason}{detail.undone && <b> · taken back</b>}</span>
                  <span><a href={memoryHref(detail.node_id)}>{shortId(detail.node_id)}</a>{detail.new_id && <> → <a href={memoryHref(detail.new_id)}>{shortId(detail.new_id)}</a></>}</span>
                </li>
              ))}
            </ul>
          </details>
        </section>
      ))}
    </Card>
  );
}
