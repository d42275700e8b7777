import { useEffect, useState } from "preact/hooks";
import type { Activity, Begun, ConsolidationOffered, Deed, Dream as OneDream, DreamReports, Dreamt, StepReport, StoreReport } from "../shapes";
import { api, useAnswer } from "../lib/api";
import { onActivity } from "../lib/live";
import { age, moment, number, plural, span } from "../lib/format";
import { memoryHref, readOnly, stale } from "../lib/store";
import { shortId } from "../lib/ulid";
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

export function Dream() {
  const answer = useAnswer<DreamReports>("/dreams", { limit: 10 });
  const waits = useAnswer<ConsolidationOffered>("/consolidation");
  const [depth, setDepth] = useState<keyof typeof DEPTHS>("full");
  const [plan, setPlan] = useState<Dreamt>();
  const [asking, setAsking] = useState(false);
  const [running, setRunning] = useState<Running[]>([]);

  useEffect(
    () =>
      onActivity(["dreaming", "dreamt", "failed"], (event: Activity) => {
        if (event.what === "dreaming") {
          const { dream, store, step, done, total, dry_run } = event;
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

  const look = async () => setPlan(await api.change<Dreamt>("POST", "/dreams", { depth, dry_run: true }));
  const dream = async () => {
    const reply = await api.change<Dreamt | Begun>("POST", "/dreams", { depth });
    setPlan(undefined);
    if ("stores" in reply) {
      const done = reply.stores.reduce((sum, one) => sum + changes(one.dream), 0);
      toast(`Dreamt: ${plural(done, "change")}`, reply.stores.length === 1 ? reply.stores[0]!.dream.id : undefined);
    } else toast("It dreams; what it does is told as it goes");
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
        {stores.filter((one) => one.dreams.length > 0).map((one) => <Report key={one.store} report={one} />)}
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

function Report({ report }: { report: StoreReport }) {
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
          {done > 0 && dream.finished_at && <Act run={() => undo(dream.id)} title="takes back all that this dream did">undo all of it</Act>}
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
      </p>
      {since[0] && <p class="quiet">Since then {plural(since.length, "dream")} found nothing to change, the last {age(since[0].at)}.</p>}
      <Steps dream={dream} />
    </Card>
  );
}

const short = (length: number) => (length < 1000 ? `${Math.max(0, Math.round(length))} ms` : span(length));

const begunBy = (trigger: string) =>
  ({ manual: "by hand", session_end: "by the end of a session", schedule: "by the clock", updates: "by new evidence", procedures: "by new procedures" })[trigger] ?? said(trigger);

function Steps({ dream, planned }: { dream: OneDream; planned?: boolean }) {
  const { busy, idle, skipped } = sorted(dream.steps);
  return (
    <div class="steps">
      {busy.map((step) => <Step key={step.step} step={step} dream={dream} planned={planned} />)}
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

function Step({ step, dream, planned }: { step: StepReport; dream: OneDream; planned?: boolean }) {
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
        {!planned && step.done > 0 && <Act class="small" run={() => undo(dream.id, step.step)} label={`undo the step ${said(step.step)}`}>undo</Act>}
      </header>
      <ul class="plain-list deeds">
        {shown.map((deed, at) => <DeedLine key={at} deed={deed} dream={dream.id} />)}
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

function DeedLine({ deed, dream }: { deed: Deed; dream: string }) {
  const text = useText(deed.memory, dream);
  const made = useText(deed.made, dream);
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
