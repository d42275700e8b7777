import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { BackedUp, Begun, ProjectFound, Projects, SessionLine, Sessions, StoreLine, Stores as StoresReply, TierLine } from "../shapes";
import { api, useAnswer } from "../lib/api";
import { age, bytes, day, moment, number, plural, span } from "../lib/format";
import { href, project, setProject } from "../lib/store";
import { isCurrent, said, status as marked, STATUSES, storeName, TIERS } from "../lib/words";
import { Bar } from "../parts/Bar";
import { Card } from "../parts/Card";
import { Copy } from "../parts/Copy";
import { StatusMark } from "../parts/MemoryLine";
import { Page } from "../parts/Page";
import { Table } from "../parts/Table";
import { toast } from "../parts/Toast";
import { Act } from "./Act";
import { standing } from "./told";

const DAYS = 90;

export function Stores() {
  const answer = useAnswer<StoresReply>("/stores", { days: DAYS });
  const projects = useAnswer<Projects>("/projects");
  const sessions = useAnswer<Sessions>("/sessions");
  const stores = answer.data?.stores ?? [];
  return (
    <Page
      title="Stores"
      lead="How many memories there are, how they grow, and how much of them is still held."
      state={answer}
      rows={8}
      empty={answer.data && stores.length === 0 ? { text: "No store is open yet. The first memory makes one.", command: "engram remember 'we deploy on fridays'" } : undefined}
    >
      <div class="stack">
        {stores.map((store) => (
          <Store store={store} key={store.store} />
        ))}
        <div class="halves">
          <Card title="Projects" state={projects}>
            <ProjectList projects={projects.data?.projects ?? []} />
          </Card>
          <Backups answer={answer.data} />
        </div>
        <Card title="Sessions" state={sessions}>
          <SessionList sessions={sessions.data?.sessions ?? []} />
        </Card>
      </div>
    </Page>
  );
}

function Store({ store }: { store: StoreLine }) {
  const { name, where } = storeName(store.store);
  const gained = store.growth.reduce((sum, one) => sum + one.learned, 0);
  const gone = store.growth.reduce((sum, one) => sum + one.gone, 0);
  const { made, total, embedder } = store.vectors ?? { made: 0, total: 0, embedder: "" };
  return (
    <Card title={name} class="store">
      {where && <p class="quiet path">{where}</p>}
      <div class="store-top">
        <div class="figures">
          <Figure value={number(store.memories)} label={store.memories === 1 ? "memory" : "memories"} />
          <Figure value={bytes(store.bytes)} label="on the disk" />
          {store.sheets > 0 && <Figure value={number(store.sheets)} label="sheets of the code" />}
          {store.oldest_at && <Figure value={span(Date.now() - Date.parse(store.oldest_at))} label="since the oldest" />}
        </div>
        <div class="store-room">
          {store.capacity ? <Bar label="room" value={inForce(store)} of={store.capacity} text={`${number(inForce(store))} in force, of ${number(store.capacity)}`} /> : null}
          {store.vectors && <Bar label={`vectors of ${embedder}`} value={made} of={total} pattern="lines" />}
        </div>
      </div>
      <div class="halves">
        <section>
          <h3>Growth, {DAYS} days</h3>
          <Growth store={store} />
          {store.growth.length > 0 && <p class="quiet">{number(gained)} learned, {number(gone)} no longer in force</p>}
        </section>
        <section>
          <h3>Held, by tier</h3>
          <Held tiers={store.tiers} />
        </section>
        <section>
          <h3>By status</h3>
          <Counts counts={STATUSES.flatMap((word) => (store.by_status[word] ? [[word, store.by_status[word]] as [string, number]] : []))} of={store.memories} name={(word) => <StatusMark status={word} />} plain={(word) => marked(word).word} scope={store.scope} field="status" />
        </section>
        <section>
          <h3>By kind</h3>
          <Counts counts={(Object.entries(store.by_kind) as [string, number][]).sort((a, b) => b[1] - a[1])} of={store.memories} name={said} plain={said} scope={store.scope} field="kind" />
        </section>
      </div>
    </Card>
  );
}

function Figure({ value, label }: { value: string; label: string }) {
  return (
    <div class="figure">
      <b>{value}</b>
      <span>{label}</span>
    </div>
  );
}

/** What went is still kept and counted; it only has no say any more. */
const inForce = (store: StoreLine) => STATUSES.reduce((sum, word) => sum + (isCurrent(word) ? (store.by_status[word] ?? 0) : 0), 0);

/** How many are in force, as steps: days on which nothing happened are not told of. What came and went is in the table. */
function Growth({ store }: { store: StoreLine }) {
  const { growth } = store;
  if (!growth.length) return <p class="quiet">Nothing came or went.</p>;
  const now = inForce(store), from = Date.parse(growth[0]!.day), length = Math.floor((Date.now() - from) / 86400e3);
  if (length < 1) return <p class="quiet">There is one day to tell of; come back tomorrow.</p>;
  const totals = standing(growth, now);
  const most = Math.max(1, ...totals);
  const wide = 300, high = 64;
  const x = (at: number) => (((Date.parse(growth[at]!.day) - from) / 86400e3 / length) * wide).toFixed(1);
  const y = (value: number) => (high - 2 - (value / most) * (high - 6)).toFixed(1);
  const line = `${totals.map((value, at) => (at ? `H${x(at)}V${y(value)}` : `M0 ${y(value)}`)).join("")}H${wide}`;
  return (
    <figure class="growth">
      <svg viewBox={`0 0 ${wide} ${high}`} preserveAspectRatio="none" height={high} role="img" aria-label={`memories in force over ${plural(length, "day")}: from ${number(totals[0]!)} to ${number(now)}`}>
        <path class="area" d={`${line}V${high}H0Z`} />
        <path class="line" d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption class="ends">
        <span>{day(growth[0]!.day)}: {number(totals[0]!)}</span>
        <span>today: {number(now)}</span>
      </figcaption>
      <details class="numbers-of">
        <summary>the numbers</summary>
        <table>
          <thead><tr><th scope="col">day</th><th scope="col">learned</th><th scope="col">gone</th><th scope="col">in force</th></tr></thead>
          <tbody>
            {growth.map((one, at) => ({ one, total: totals[at]! })).filter(({ one }) => one.learned || one.gone).reverse().map(({ one, total }) => (
              <tr key={one.day}><th scope="row">{day(one.day)}</th><td class="number">{number(one.learned)}</td><td class="number">{number(one.gone)}</td><td class="number">{number(total)}</td></tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Ten columns for each tier: how many hold 0 to 10 %, and so on to 100 %. */
function Held({ tiers }: { tiers: TierLine[] }) {
  const known = TIERS.flatMap((tier) => tiers.filter((one) => one.tier === tier && one.memories > 0));
  if (known.length === 0) return <p class="quiet">Nothing to hold yet.</p>;
  return (
    <div class="held">
      {known.map(({ tier, memories, held }) => {
        const most = Math.max(1, ...held);
        const firm = held.slice(5).reduce((sum, one) => sum + one, 0);
        return (
          <div class="held-row" key={tier}>
            <span class="held-name">{tier}</span>
            <svg viewBox="0 0 100 24" preserveAspectRatio="none" height="24" role="img" aria-label={`${tier}: ${plural(memories, "memory", "memories")}, ${number(firm)} at least half held`}>
              {held.map((count, step) => (
                <rect key={step} class={step < 2 ? "faded" : undefined} x={step * 10 + 0.7} width="8.6" y={24 - Math.max(count ? 2 : 0.6, (count / most) * 24)} height={Math.max(count ? 2 : 0.6, (count / most) * 24)}>
                  <title>{`${step * 10} to ${step * 10 + 10} % held: ${number(count)}`}</title>
                </rect>
              ))}
            </svg>
            <span class="numbers">{number(memories)}</span>
          </div>
        );
      })}
      <div class="held-row quiet" aria-hidden="true">
        <span />
        <span class="ends"><span>0 %</span><span>held</span><span>100 %</span></span>
        <span />
      </div>
      <details class="numbers-of">
        <summary>the numbers</summary>
        <table>
          <thead><tr><th scope="col">held</th>{known.map(({ tier }) => <th scope="col" key={tier}>{tier}</th>)}</tr></thead>
          <tbody>
            {Array.from({ length: 10 }, (_, at) => 9 - at).map((step) => (
              <tr key={step}><th scope="row">{step * 10} to {step * 10 + 10} %</th>{known.map(({ tier, held }) => <td class="number" key={tier}>{number(held[step] ?? 0)}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
}

function Counts({ counts, of, name, plain, scope, field }: { counts: [string, number][]; of: number; name: (word: string) => ComponentChildren; plain: (word: string) => string; scope: string; field: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? counts : counts.slice(0, 6);
  const most = Math.max(1, ...counts.map(([, count]) => count));
  if (counts.length === 0) return <p class="quiet">Nothing yet.</p>;
  return (
    <ul class="counts plain-list">
      {shown.map(([word, count]) => (
        <li key={word}>
          <a href={href("search", { scope, [field]: word })}>{name(word)}</a>
          <Bar bare label={plain(word)} value={count} of={most} text={`${number(count)} of ${number(of)}`} />
          <span class="numbers">{number(count)}</span>
        </li>
      ))}
      {counts.length > 6 && (
        <li>
          <button type="button" class="link" onClick={() => setAll(!all)}>{all ? "fewer" : `${counts.length - 6} more`}</button>
        </li>
      )}
    </ul>
  );
}

function ProjectList({ projects }: { projects: ProjectFound[] }) {
  if (projects.length === 0) return <p class="quiet">No project yet: engram makes one for the folder you work in.</p>;
  return (
    <ul class="plain-list lines">
      {projects.map((one) => (
        <li key={one.key} class="line">
          <div>
            <b>{one.name}</b>
            <span class="quiet path">{one.path}</span>
            <span class="quiet">
              {one.memories === undefined || one.memories === null ? "not open" : plural(one.memories, "memory", "memories")} · {bytes(one.bytes)}
              {!one.there && <> · <span class="tone-doubt">! its folder is gone</span></>}
            </span>
          </div>
          {project.value === one.key ? (
            <span class="here">shown here</span>
          ) : (
            <button type="button" onClick={() => { setProject(one.key); toast(`The window shows ${one.name}`); }}>show</button>
          )}
        </li>
      ))}
    </ul>
  );
}

function SessionList({ sessions }: { sessions: SessionLine[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? sessions : sessions.slice(0, 10);
  if (sessions.length === 0) return <p class="quiet">No session yet. One begins with the first hook of an agent.</p>;
  return (
    <>
      <Table
        label="sessions" rows={shown} keyOf={(one) => one.session}
        columns={[
          { name: "what it was about", cell: (one) => one.summary ?? <span class="quiet">{one.status === "active" ? "still open" : "no summary"}</span> },
          { name: "status", cell: (one) => <span>{one.status === "active" ? "● open" : `○ ${said(one.status)}`}</span> },
          { name: "began", cell: (one) => (one.started_at ? <time dateTime={one.started_at} title={moment(one.started_at)}>{age(one.started_at)}</time> : undefined) },
          { name: "took", cell: (one) => (one.started_at && one.ended_at ? span(Date.parse(one.ended_at) - Date.parse(one.started_at)) : undefined) },
          { name: "memories", number: true, cell: (one) => (one.memories ? number(one.memories) : undefined) },
          { name: "went up", number: true, cell: (one) => (one.promoted ? number(one.promoted) : undefined) },
        ]}
      />
      {sessions.length > 10 && <button type="button" class="link" onClick={() => setAll(!all)}>{all ? "fewer" : `${sessions.length - 10} more`}</button>}
    </>
  );
}

function Backups({ answer }: { answer?: StoresReply }) {
  const backups = [...(answer?.backups ?? [])].sort((a, b) => b.made_at.localeCompare(a.made_at));
  const make = async () => {
    const reply = await api.change<BackedUp | Begun>("POST", "/backups", { all_projects: true });
    toast("file" in reply ? `Backed up: ${bytes(reply.bytes)} in ${reply.file}` : "The backup is being made; the feed tells when it is done");
  };
  const latest = backups[0];
  return (
    <Card title="Backups" actions={<Act run={make}>make one</Act>}>
      <p>
        {latest ? <>The latest is <b>{span(Date.now() - Date.parse(latest.made_at))}</b> old.</> : "There is none."}
        {answer?.free_bytes ? <span class="quiet"> {bytes(answer.free_bytes)} are free on this disk.</span> : null}
      </p>
      <ul class="plain-list lines">
        {backups.slice(0, 5).map((one) => (
          <li key={one.file} class="line">
            <div>
              <span class="path">{one.file.split("/").pop()}</span>
              <span class="quiet"><time dateTime={one.made_at}>{moment(one.made_at)}</time> · {bytes(one.bytes)}{one.stores.length > 0 && ` · ${plural(one.stores.length, "store")}`}{one.sealed && " · sealed"}</span>
            </div>
          </li>
        ))}
      </ul>
      {latest && <p class="quiet">To go back to it: <Copy text={`engram backup restore ${latest.file}${latest.sealed ? " --identity FILE" : ""}`} /></p>}
    </Card>
  );
}

