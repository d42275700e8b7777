import { useEffect, useRef, useState } from "preact/hooks";
import type { Activity, Begun, ConsolidationOffered, Deed, Dream as OneDream, DreamReports, Dreamt, OperationLine, StepReport, StoreReport } from "../shapes";
import { api, useAnswer } from "../lib/api";
import { onActivity } from "../lib/live";
import { age, moment, number, plural, span } from "../lib/format";
import { memoryHref, readOnly, stale } from "../lib/store";
import { isPartOf, shortId, ulid } from "../lib/ulid";
import { said, storeName } from "../lib/words";
import { Bar } from "../parts/Bar";
import { Card } from "../parts/Card";
import { Word } from "../parts/Chip";
import { Confirm } from "../parts/Confirm";
import { Copy } from "../parts/Copy";
import { Page } from "../parts/Page";
import { toast, undo } from "../parts/Toast";
import { Act, act } from "./Act";
import { Linked } from "./Linked";
import { useText } from "./texts";
import { sorted, stepMeans, STEP_ORDER } from "./told";

const DEPTHS = {
  light: "what follows from time and use alone",
  full: "summaries, the graph and the working tree as well",
  reflective: "everything: patterns, cards, bridges, beliefs, and what use teaches",
};

/** A dream that runs now, as the feed tells of it. */
interface Running { dream: string; store: string; step?: string; done: number; total?: number; dry: boolean }

/** How many of the latest operations are looked through for what was taken back. */
const LATEST = 200;

/** A dream is an operation of its own in each store, and none where it changed nothing. */
const changed = ({ stores }: Dreamt) => stores.flatMap(({ dream }) => (changes(dream) > 0 ? [dream.id] : []));

let stopHearing = () => {};

/** Hears the end of a dream that goes on, in one store after the other, wherever one looks meanwhile. */
function hearOf(operation: string): { goesOn: () => void; ended: () => void } {
  const operations: string[] = [];
  let sum = 0, going = false;
  const say = () => sum > 0 && toast(`Dreamt: ${plural(sum, "change")}`, operations);
  stopHearing();
  stopHearing = onActivity(["dreamt"], (event) => {
    if (event.what !== "dreamt" || !isPartOf(event.dream, operation) || event.changes === 0) return;
    operations.push(event.dream);
    sum += event.changes;
    if (going) say();
  });
  return { goesOn: () => ((going = true), say()), ended: stopHearing };
}

export function Dream() {
  const answer = useAnswer<DreamReports>("/dreams", { limit: 10 });
  const waits = useAnswer<ConsolidationOffered>("/consolidation");
  const [depth, setDepth] = useState<keyof typeof DEPTHS>("full");
  const [plan, setPlan] = useState<Dreamt>();
  const [asking, setAsking] = useState(false);
  const [running, setRunning] = useState<Running[]>([]);
  const latest = useAnswer<{ operations: OperationLine[] }>("/operations", { limit: LATEST });
  const undone = latest.data && new Set(latest.data.operations.flatMap((one) => (one.undone_by ? [one.id] : [])));
  /** Dry runs that were answered: what the feed still tells of them is over. */
  const looked = useRef(new Set<string>());

  useEffect(
    () =>
      onActivity(["dreaming", "dreamt", "failed"], (event: Activity) => {
        if (event.what === "dreaming") {
          const { dream, store, step, done, total, dry_run } = event;
          if (looked.current.has(dream)) return;
          setRunning((old) => [...old.filter((one) => one.store !== store), { dream, store, step, done, total, dry: dry_run }]);
        } else {
          const store = event.what === "dreamt" ? event.store : undefined;
          setRunning((old) => (store ? old.filter((one) => one.store !== store) : []));
          // The report is new.
          stale.value++;
        }
      }),
    [],
  );

  const look = async () => {
    try {
      const found = await api.change<Dreamt>("POST", "/dreams", { depth, dry_run: true });
      for (const { dream } of found.stores) looked.current.add(dream.id);
      setPlan(found);
    } finally {
      setRunning((old) => old.filter((one) => !one.dry));
    }
  };
  const dream = async () => {
    const operation = ulid(), hears = hearOf(operation);
    const reply = await api.change<Dreamt | Begun>("POST", "/dreams", { operation, depth });
    setPlan(undefined);
    if ("stores" in reply) {
      hears.ended();
      toast(`Dreamt: ${plural(reply.stores.reduce((sum, one) => sum + changes(one.dream), 0), "change")}`, changed(reply));
    } else {
      toast("It dreams; what it does is told as it goes");
      hears.goesOn();
    }
  };

  const stores = answer.data?.stores ?? [];
  const planned = plan?.stores.reduce((sum, one) => sum + changes(one.dream), 0) ?? 0;
  const never = answer.data && stores.every((one) => one.dreams.length === 0);
  return (
    <Page
      title="Dream"
      lead={answer.data ? <Schedule reports={answer.data} /> : "How the memory looks after itself while nobody waits."}
      state={answer}
      rows={9}
      keys={[
        { key: "n", label: "look what a dream would do", run: () => void (readOnly.value || act(look)) },
        { key: "b", label: "dream now", run: () => readOnly.value || setAsking(true) },
      ]}
      actions={
        <>
          <label class="pick">
            <span class="unseen">how deep</span>
            <select value={depth} onChange={(event) => { setDepth(event.currentTarget.value as keyof typeof DEPTHS); setPlan(undefined); }} title={DEPTHS[depth]}>
              {Object.keys(DEPTHS).map((one) => <option key={one} value={one}>{one}</option>)}
            </select>
          </label>
          <Act run={look}>look first</Act>
          <Act class="primary" run={() => setAsking(true)} disabled={running.some((one) => !one.dry)}>dream now</Act>
        </>
      }
    >
      <div class="stack">
        {running.map((one) => <Progress key={one.store} one={one} />)}
        {plan && (
          <Card
            title={planned ? `It would do ${plural(planned, "thing")}` : "It would do nothing"}
            class="plan"
            actions={<><button type="button" onClick={() => setPlan(undefined)}>close</button>{planned > 0 && <Act class="primary" run={dream}>do that</Act>}</>}
          >
            <p class="quiet">A {depth} dream: {DEPTHS[depth]}. Nothing was changed yet.</p>
            {plan.stores.map((one) => (
              <section key={one.store} class="dream-store">
                <h3>{storeName(one.store).name} <span class="quiet">{plural(one.memories, "memory", "memories")} looked at in {short(one.seconds * 1000)}</span></h3>
                <Steps dream={one.dream} planned />
              </section>
            ))}
          </Card>
        )}
        <Waits offered={waits.data} stores={stores} />
        {never && <p class="nothing">It has not dreamt yet. It will by itself when sessions end; look first to see what it would do.</p>}
        {stores.filter((one) => one.dreams.length > 0).map((one) => <Report key={one.store} report={one} undone={undone} />)}
      </div>
      {asking && (
        <Confirm title={`Dream now, ${depth}?`} does="dream" run={() => act(dream)} close={() => setAsking(false)}>
          <p>{DEPTHS[depth][0]!.toUpperCase() + DEPTHS[depth].slice(1)}, in the store of this project and in your own. Each step can be taken back afterwards.</p>
          {!plan && <p class="quiet">"Look first" shows what it would do.</p>}
        </Confirm>
      )}
    </Page>
  );
}

const changes = (dream: OneDream) => dream.steps.reduce((sum, step) => sum + step.done, 0);

function Schedule({ reports }: { reports: DreamReports }) {
  if (reports.schedule !== "on") return <>Dreams by themselves are off. <Copy text="engram config set dream.schedule on" /></>;
  const next = reports.stores.flatMap((one) => (one.next_full !== undefined ? [`${storeName(one.store).name}: ${plural(Math.max(0, one.next_full - one.sessions), "session")}`] : []));
  return <>A light dream follows every session{next.length > 0 && <>; until the next full one, {next.join(", ")}</>}.</>;
}

function Progress({ one }: { one: Running }) {
  const place = one.step ? STEP_ORDER.indexOf(one.step) : -1;
  return (
    <Card title={`${one.dry ? "Looking" : "Dreaming"}: ${storeName(one.store).name}`} class="running">
      <div role="status">
        {one.total ? (
          <Bar label={one.step ? said(one.step) : "it begins"} value={one.done} of={one.total} text={`${number(one.done)} of ${number(one.total)}`} />
        ) : (
          <Bar label={one.step ? said(one.step) : "it begins"} value={Math.max(0, place)} of={STEP_ORDER.length} text={place >= 0 ? `step ${place + 1}` : ""} />
        )}
      </div>
      <p class="quiet">{one.step ? stepMeans(one.step) : "what there is to do is being planned"}</p>
    </Card>
  );
}

/** What was taken back; undefined: not known yet. */
type Undone = ReadonlySet<string> | undefined;

function Report({ report, undone }: { report: StoreReport; undone: Undone }) {
  const [chosen, setChosen] = useState<string>();
  // Light dreams come often and mostly find nothing: shown is the last one that did something, or is not over.
  const last = report.dreams.findIndex((one) => changes(one) > 0 || !one.finished_at);
  const dream = report.dreams.find(({ id }) => id === chosen) ?? report.dreams[Math.max(0, last)]!;
  const since = chosen === undefined && last > 0 ? report.dreams.slice(0, last) : [];
  const { name, where } = storeName(report.store);
  const done = changes(dream);
  return (
    <Card
      title={name}
      class="dream-report"
      actions={
        <>
          {report.dreams.length > 1 && (
            <label class="pick">
              <span class="unseen">which dream</span>
              <select value={dream.id} onChange={(event) => setChosen(event.currentTarget.value)}>
                {report.dreams.map((one) => (
                  <option key={one.id} value={one.id}>{moment(one.at)}, {one.depth ?? "some steps"}: {changes(one)}</option>
                ))}
              </select>
            </label>
          )}
          {done > 0 && dream.finished_at && !undone?.has(dream.id) && <Act run={() => undo(dream.id)} title="takes back all that this dream did">undo all of it</Act>}
        </>
      }
    >
      {where && <p class="quiet path">{where}</p>}
      <p>
        <b>{done ? plural(done, "change") : "Nothing to change"}</b>
        <span class="quiet">
          {" "}· {dream.depth ? `a ${dream.depth} dream` : "some steps"}, begun {begunBy(dream.trigger)} <time dateTime={dream.at} title={moment(dream.at)}>{age(dream.at)}</time>
          {dream.finished_at ? `, in ${short(Date.parse(dream.finished_at) - Date.parse(dream.at))}` : ""}
        </span>
        {!dream.finished_at && <Word tone="doubt">◐ not finished yet</Word>}
        {undone?.has(dream.id) && <Word>↶ taken back</Word>}
      </p>
      {since[0] && <p class="quiet">Since then {plural(since.length, "dream")} found nothing to change, the last {age(since[0].at)}.</p>}
      <Steps dream={dream} undone={undone} />
    </Card>
  );
}

const short = (length: number) => (length < 1000 ? `${Math.max(0, Math.round(length))} ms` : span(length));

const begunBy = (trigger: string) =>
  ({ manual: "by hand", session_end: "by the end of a session", schedule: "by the clock", updates: "by new evidence", procedures: "by new procedures" })[trigger] ?? said(trigger);

function Steps({ dream, planned, undone }: { dream: OneDream; planned?: boolean; undone?: Undone }) {
  const { busy, idle, skipped } = sorted(dream.steps);
  return (
    <div class="steps">
      {busy.map((step) => <Step key={step.step} step={step} dream={dream} planned={planned} undone={undone} />)}
      {(idle.length > 0 || skipped.length > 0) && (
        <details class="quiet-steps">
          <summary>{idle.length > 0 && `${plural(idle.length, "step")} found nothing to do`}{idle.length > 0 && skipped.length > 0 && ", "}{skipped.length > 0 && `${skipped.length} ${skipped.length === 1 ? "was" : "were"} left out`}</summary>
          <ul class="plain-list">
            {skipped.map((step) => <li key={step.step}><b>{said(step.step)}</b> <span class="quiet">left out: {step.skipped}</span></li>)}
            {idle.map((step) => <li key={step.step}><b>{said(step.step)}</b> <span class="quiet">{stepMeans(step.step)} · {number(step.looked_at)} looked at</span></li>)}
          </ul>
        </details>
      )}
    </div>
  );
}

const FIRST = 4;

function Step({ step, dream, planned, undone }: { step: StepReport; dream: OneDream; planned?: boolean; undone?: Undone }) {
  const gone = [dream.id, ...(step.operations ?? [])].some((one) => undone?.has(one));
  const [all, setAll] = useState(false);
  const deeds = step.deeds ?? [];
  const shown = all ? deeds : deeds.slice(0, FIRST);
  const spared = Math.max(0, deeds.length - step.done);
  return (
    <section class="step">
      <header>
        <div>
          {planned ? <h4 class="step-name">{said(step.step)}</h4> : <h3 class="step-name">{said(step.step)}</h3>}
          <span class="quiet">{stepMeans(step.step)}</span>
        </div>
        <span class="numbers"><b>{number(step.done)}</b> <span class="quiet">of {number(step.looked_at)}</span></span>
        {!planned && !gone && step.done > 0 && <Act class="small" run={() => undo(dream.id, { step: step.step })} label={`undo the step ${said(step.step)}`}>undo</Act>}
      </header>
      <ul class="plain-list deeds">
        {shown.map((deed, at) => <DeedLine key={at} deed={deed} before={planned || gone || !undone ? dream.id : undefined} />)}
      </ul>
      {deeds.length > FIRST && (
        <button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>{all ? "fewer" : `${deeds.length - FIRST} more`}</button>
      )}
      <p class="quiet step-notes">
        {[
          step.done > deeds.length && `${number(step.done - deeds.length)} more are counted, not named`,
          spared > 0 && `${number(spared)} spared`,
          step.left > 0 && `${number(step.left)} left for another night`,
          (step.overtaken?.length ?? 0) > 0 && `${plural(step.overtaken!.length, "memory", "memories")} changed meanwhile and left alone`,
          (step.risen?.length ?? 0) > 0 && `${number(step.risen!.length)} went up to you`,
        ].filter(Boolean).join(" · ")}
      </p>
    </section>
  );
}

function DeedLine({ deed, before }: { deed: Deed; before?: string }) {
  const text = useText(deed.memory, before);
  const made = useText(deed.made, before);
  return (
    <li>
      <Word>{deed.what}</Word>
      <div>
        {deed.memory && <a class="deed-text" href={memoryHref(deed.memory)}>{text || `memory ${shortId(deed.memory)}`}</a>}
        {deed.made && <a class="deed-text" href={memoryHref(deed.made)}>→ {made || `memory ${shortId(deed.made)}`}</a>}
        <span class={deed.memory || deed.made ? "quiet" : undefined}><Linked text={deed.why} /></span>
      </div>
    </li>
  );
}

function Waits({ offered, stores }: { offered?: ConsolidationOffered; stores: StoreReport[] }) {
  const requests = stores.flatMap((one) => one.requests.filter(({ status }) => status === "pending" || status === "in_progress"));
  if (!offered?.waiting && requests.length === 0) return null;
  return (
    <Card title={`${plural(offered?.waiting ?? 0, "summary waits", "summaries wait")} for somebody to write`}>
      {offered?.next && (
        <>
          <p><b>{offered.next.topic}</b> <span class="quiet">{plural(offered.next.sources.length, "memory", "memories")}</span></p>
          <p class="pre quiet">{offered.next.text}</p>
          <p><a href={memoryHref(offered.next.summary)}>the summary there is</a></p>
        </>
      )}
      {requests.map((one) => <p key={one.requested_at} class="quiet">{one.reason} · asked {age(one.requested_at)}</p>)}
      <p class="quiet">An agent writes it with <Copy text="engram consolidation next" /></p>
    </Card>
  );
}
