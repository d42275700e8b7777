import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BondLine, EntityChanged, EntityShown, GraphWhole, WholeNode } from "../shapes";
import type { GraphView } from "../graph/view";
import { around, BONDS, FAMILIES, family, glyph, part, THINGS } from "../graph/shape";
import { api, Problem, useAnswer } from "../lib/api";
import { age, number, plural, share } from "../lib/format";
import { go, href, route } from "../lib/store";
import { theme } from "../lib/theme";
import { said } from "../lib/words";
import { Card } from "../parts/Card";
import { Chip } from "../parts/Chip";
import { Dialog } from "../parts/Dialog";
import { Icon } from "../parts/icons";
import { MemoryLine } from "../parts/MemoryLine";
import { Page } from "../parts/Page";
import { toast } from "../parts/Toast";
import { Trouble } from "../parts/Trouble";
import { Act } from "./Act";

const FEW = 2000, MANY = 5000;
/** So many lines of the list are made at once; fewer where it stands below the picture. */
const LISTED = typeof innerWidth === "number" && innerWidth < 900 ? 20 : 60;

export function Graph() {
  const query = route.value.query;
  const named = query.get("entity") ?? "";
  const hops = Math.max(0, Math.min(3, Number(query.get("hops") ?? 0) || 0));
  const [limit, setLimit] = useState(FEW);
  const answer = useAnswer<GraphWhole>("/graph", { limit });
  const [without, setWithout] = useState<Set<string>>(new Set());
  const [unbound, setUnbound] = useState<Set<string>>(new Set());
  const [text, setText] = useState("");
  const [folded, setFolded] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const view = useRef<GraphView | undefined>(undefined);

  const data = answer.data;
  const nodes = data?.nodes ?? [];
  const chosen = useMemo(() => find(nodes, named), [data, named]);
  const last = useRef("");
  if (chosen !== null) last.current = nodes[chosen]!.entity;
  const choose = (place: number | null, more: { hops?: number } = {}) => {
    const node = place === null ? undefined : nodes[place];
    go(href("graph", { entity: node?.name, hops: node ? (more.hops ?? hops) || undefined : undefined }), true);
  };

  const kinds = useMemo(() => count(nodes.map((node) => node.kind)), [data]);
  const bonds = useMemo(() => count((data?.edges ?? []).map((edge) => edge[2])), [data]);
  // What is drawn: the neighbours of one alone, or all.
  const near = useMemo(() => (data && hops > 0 && chosen !== null ? around(data, chosen, hops, (kind) => !unbound.has(kind)) : null), [data, chosen, hops, unbound]);
  const found = useMemo(() => {
    const words = text.trim().toLowerCase();
    return nodes
      .map((node, place) => ({ node, place }))
      .filter(({ node, place }) => !without.has(node.kind) && (!near || near[place]) && (!words || node.name.toLowerCase().includes(words)))
      .sort((a, b) => b.node.memories - a.node.memories || b.node.bonds - a.node.bonds || a.node.name.localeCompare(b.node.name));
  }, [data, text, without, near]);
  const switchOf = (set: Set<string>, change: (next: Set<string>) => void) => (word: string) => {
    const next = new Set(set);
    if (!next.delete(word)) next.add(word);
    change(next);
  };
  const switchKind = switchOf(without, setWithout), switchBond = switchOf(unbound, setUnbound);

  return (
    <Page
      title="Graph"
      lead={nodes.length > 0 && data ? <>{shownOf(data)} {data.total > data.nodes.length && limit < MANY && <button type="button" class="link" onClick={() => setLimit(MANY)}>show up to {number(MANY)}</button>}</> : "The things that the memories name, and how they are tied."}
      state={answer}
      rows={8}
      empty={data && nodes.length === 0 ? { text: "No thing has a name yet. Tools, files, people and services that memories speak of are drawn here.", command: "engram remember 'the checkout service uses Stripe'" } : undefined}
      keys={[
        { key: "+", label: "nearer", run: () => view.current?.zoom(1.4) },
        { key: "-", label: "farther", run: () => view.current?.zoom(1 / 1.4) },
        { key: "0", label: "all of it", run: () => view.current?.whole() },
        { key: "f", label: "filters", run: () => setFolded((old) => !old) },
        { key: "Escape", run: () => (hops ? choose(chosen, { hops: 0 }) : choose(null)) },
      ]}
    >
      <div class="graph-page">
        <div class="graph-main">
          <div class="graph-filters">
            <div class="chips" role="group" aria-label="kinds of things">
              {THINGS.filter((kind) => kinds.get(kind)).map((kind) => (
                <button key={kind} type="button" class="chip thing" aria-pressed={!without.has(kind)} onClick={() => switchKind(kind)}>
                  <Glyph kind={kind} /> {kind} <span class="count">{number(kinds.get(kind)!)}</span>
                </button>
              ))}
              {bonds.size > 0 && (
                <button type="button" class="chip" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
                  bonds{unbound.size > 0 ? `, ${unbound.size} hidden` : ""} <Icon name="down" size={11} />
                </button>
              )}
            </div>
            {!folded && (
              <div class="chips" role="group" aria-label="kinds of bonds">
                {BONDS.filter((kind) => bonds.get(kind)).map((kind) => (
                  <button key={kind} type="button" class="chip" aria-pressed={!unbound.has(kind)} onClick={() => switchBond(kind)}>
                    <Stroke bond={kind} /> {said(kind)} <span class="count">{number(bonds.get(kind)!)}</span>
                  </button>
                ))}
              </div>
            )}
          </div>
          {data && nodes.length > 0 && <Canvas data={data} chosen={chosen} near={near} without={without} unbound={unbound} choose={choose} view={view} />}
        </div>
        <aside class="graph-side" aria-label="things">
          {chosen !== null ? (
            <Thing key={nodes[chosen]!.name} node={nodes[chosen]!} nodes={nodes} hops={hops} choose={(name) => choose(find(nodes, name))} around={(far) => choose(chosen, { hops: far })} close={() => choose(null)} />
          ) : (
            <List found={found} back={last.current} named={named} text={text} setText={setText} field={field} choose={(place) => { choose(place); view.current?.choose(place, true); }} hover={(place) => view.current?.hover(place)} />
          )}
        </aside>
      </div>
    </Page>
  );
}

function shownOf(data: GraphWhole): string {
  const things = plural(data.nodes.length, "thing"), bonds = plural(data.edges.length, "bond");
  return data.total > data.nodes.length ? `${number(data.nodes.length)} of ${number(data.total)} things, the most named, and ${bonds}.` : `${things} and ${bonds}.`;
}

function count(words: string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return found;
}

/** By its name, whatever the case; the best known where there are several. */
function find(nodes: WholeNode[], name: string): number | null {
  if (!name) return null;
  let best: number | null = null;
  nodes.forEach((node, place) => {
    const fits = node.name === name || (best === null && node.name.toLowerCase() === name.toLowerCase());
    if (fits && (best === null || nodes[best]!.name !== name || node.memories > nodes[best]!.memories)) best = place;
  });
  return best;
}

function Glyph({ kind }: { kind: string }) {
  return <svg class={`glyph thing-${kind}`} width="12" height="12" viewBox="0 0 16 16" aria-hidden="true"><path d={glyph(kind)} fill-rule="evenodd" /></svg>;
}

function Stroke({ bond }: { bond: string }) {
  const name = family(bond);
  return <svg class={`stroke bond-${name}`} width="22" height="8" viewBox="0 0 22 8" aria-hidden="true"><path d="M0 4H22" stroke-dasharray={FAMILIES[name].dash.join(" ")} /></svg>;
}

interface CanvasProps {
  data: GraphWhole; chosen: number | null; near: Uint8Array | null; without: Set<string>; unbound: Set<string>;
  choose(place: number | null): void; view: { current: GraphView | undefined };
}

/** The picture. It is drawn by a script of its own, which is fetched only here. */
function Canvas({ data, chosen, near, without, unbound, choose, view }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  // The part of the graph that is drawn, and where its nodes are in the whole.
  const drawn = useMemo(() => (near ? part(data, near) : { data, from: null as number[] | null }), [data, near]);
  const latest = useRef({ drawn, choose });
  latest.current = { drawn, choose };
  const wholePlaces = useRef<{ data: GraphWhole; places: Float32Array } | undefined>(undefined);
  const before = useRef<{ data: GraphWhole; from: number[] | null } | undefined>(undefined);

  useEffect(() => {
    let gone = false;
    const at = "/graph.js";
    (import(at) as Promise<typeof import("../graph/view")>).then(
      ({ openGraph }) => {
        if (gone || !canvas.current) return;
        view.current = openGraph(canvas.current, {
          chosen: (place) => {
            const { drawn, choose } = latest.current;
            choose(place === null ? null : drawn.from ? drawn.from[place]! : place);
          },
        });
        setReady(true);
      },
      () => setProblem(new Problem(0, "The script that draws the graph did not come. The list beside it does the same.")),
    );
    return () => {
      gone = true;
      view.current?.end();
      view.current = undefined;
    };
  }, []);

  // Another graph, or another part of it: what is there keeps its place.
  useEffect(() => {
    const shown = view.current;
    if (!ready || !shown) return;
    const was = before.current;
    if (was && was.data === data && !was.from) wholePlaces.current = { data, places: shown.places() };
    const known = wholePlaces.current?.data === data ? wholePlaces.current.places : undefined;
    const places = drawn.from && known ? Float32Array.from(drawn.from.flatMap((i) => [known[2 * i]!, known[2 * i + 1]!])) : drawn.from ? undefined : known;
    shown.show(drawn.data, places);
    before.current = { data, from: drawn.from };
  }, [ready, drawn]);

  useEffect(() => {
    if (!ready) return;
    const { nodes, edges } = drawn.data;
    const seen = without.size ? Uint8Array.from(nodes, (node) => (without.has(node.kind) ? 0 : 1)) : null;
    const tied = unbound.size ? Uint8Array.from(edges, (edge) => (unbound.has(edge[2]) ? 0 : 1)) : null;
    view.current?.only(seen, tied);
  }, [ready, drawn, without, unbound]);

  useEffect(() => {
    if (!ready) return;
    const place = chosen === null ? null : drawn.from ? drawn.from.indexOf(chosen) : chosen;
    view.current?.choose(place !== null && place < 0 ? null : place);
  }, [ready, drawn, chosen]);

  // The colours are those of the sheet, and change with it.
  const look = theme.value;
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => view.current?.repaint();
    repaint();
    dark.addEventListener("change", repaint);
    return () => dark.removeEventListener("change", repaint);
  }, [ready, look]);

  const arrows: Record<string, [number, number]> = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
  return (
    <div class="graph-frame">
      {problem && <Trouble problem={problem} />}
      <canvas
        ref={canvas} class="graph-canvas" tabIndex={0} role="img"
        aria-label={`${plural(drawn.data.nodes.length, "thing")} and ${plural(drawn.data.edges.length, "bond")}, drawn; the list beside says the same. Arrows move the picture, plus and minus zoom.`}
        onKeyDown={(event) => {
          const by = arrows[event.key];
          if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          view.current?.pan(...by);
        }}
      />
      <div class="graph-zoom">
        <button type="button" class="plain" aria-label="nearer" title="nearer (+)" onClick={() => view.current?.zoom(1.4)}>+</button>
        <button type="button" class="plain" aria-label="farther" title="farther (-)" onClick={() => view.current?.zoom(1 / 1.4)}>−</button>
        <button type="button" class="plain" aria-label="all of it" title="all of it (0)" onClick={() => view.current?.whole()}>⤢</button>
      </div>
    </div>
  );
}

interface ListProps {
  found: { node: WholeNode; place: number }[]; /** The thing that was looked at before. */ back: string; named: string; text: string; setText(text: string): void; field: { current: HTMLInputElement | null };
  choose(place: number): void; hover(place: number | null): void;
}

/** What had the focus is gone from the page. */
const isLost = () => document.activeElement === document.body || document.activeElement === null;

function List({ found, back, named, text, setText, field, choose, hover }: ListProps) {
  const [most, setMost] = useState(LISTED);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => setMost(LISTED), [text]);
  // Whoever came back from a thing by a key goes on where he was.
  useEffect(() => {
    if (!back || !isLost()) return;
    const row = [...(list.current?.querySelectorAll<HTMLElement>("[data-thing]") ?? [])].find((one) => one.dataset.thing === back);
    (row ?? field.current)?.focus();
  }, []);
  return (
    <Card class="flush graph-list">
      <div class="graph-search">
        <input ref={field} data-search type="search" value={text} placeholder="find a thing" aria-label="find a thing" onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key !== "Enter" || !found[0]) return; choose((found.find(({ node }) => node.name.toLowerCase() === text.trim().toLowerCase()) ?? found[0]).place); }} />
        <span class="quiet" role="status">{number(found.length)}</span>
      </div>
      {named && <p class="quiet graph-none">Nothing here is called {named}.</p>}
      {found.length === 0 && <p class="quiet graph-none">No thing has that name.</p>}
      <ul ref={list} class="lines" data-rows onMouseLeave={() => hover(null)}>
        {found.slice(0, most).map(({ node, place }, at) => (
          <li key={node.entity + node.scope}>
            <button type="button" class="thing-line" data-row data-thing={node.entity} tabIndex={at === 0 ? 0 : -1} onClick={() => choose(place)} onMouseEnter={() => hover(place)} onFocus={() => hover(place)} onBlur={() => hover(null)}>
              <Glyph kind={node.kind} />
              <span class="thing-line-name">{node.name}</span>
              <span class="quiet numbers">{plural(node.memories, "memory", "memories")}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > most && <button type="button" class="link graph-more" onClick={() => setMost(most + 200)}>{number(found.length - most)} more</button>}
    </Card>
  );
}

interface ThingProps { node: WholeNode; nodes: WholeNode[]; hops: number; choose(name: string): void; around(hops: number): void; close(): void }

function Thing({ node, nodes, hops, choose, around, close }: ThingProps) {
  const answer = useAnswer<EntityShown>(`/entities/${encodeURIComponent(node.name)}`);
  const [form, setForm] = useState<"merge" | "alias">();
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => { if (isLost()) closer.current?.focus({ preventScroll: true }); }, []);
  const shown = answer.data;
  return (
    <Card state={answer} rows={5} class="graph-thing" title={node.name} actions={<button ref={closer} type="button" class="plain" aria-label="back to the list" title="back to the list (Esc)" onClick={close}><Icon name="close" /></button>}>
      <p class="quiet thing-what"><Glyph kind={node.kind} /> {node.kind}{shown?.entity.version ? ` ${shown.entity.version}` : ""} · {node.scope}{shown && <> · seen {age(shown.entity.last_seen_at)}</>}</p>
      {(shown?.entity.aliases?.length ?? 0) > 0 && <p class="quiet">also called {shown!.entity.aliases!.join(", ")}</p>}
      {shown?.description && <p>{shown.description}</p>}
      <div class="chips around" role="group" aria-label="only what is around it">
        <span class="quiet" aria-hidden="true">only</span>
        {[1, 2, 3].map((far) => <Chip key={far} on={hops === far} press={() => around(hops === far ? 0 : far)}>{plural(far, "bond")}</Chip>)}
      </div>
      {shown?.card && <section><h3>on one card</h3><p class="text">{shown.card.content}</p></section>}
      {shown && shown.bonds.length > 0 && (
        <section>
          <h3>{plural(shown.bonds.length, "bond")}</h3>
          <Bonds bonds={shown.bonds} of={shown.entity.id} choose={choose} />
        </section>
      )}
      {shown && (
        <section>
          <h3>{plural(shown.memories.length, "memory names it", "memories name it")}</h3>
          <ul class="lines thing-memories" data-rows>{shown.memories.map((memory) => <li key={memory.id}><MemoryLine memory={memory} /></li>)}</ul>
        </section>
      )}
      <div class="actions">
        <Act class="small" run={() => setForm("alias")}>it is also called …</Act>
        <Act class="small" run={() => setForm("merge")}>it is the same as …</Act>
      </div>
      {form && <Name form={form} node={node} nodes={nodes} choose={choose} close={() => setForm(undefined)} />}
    </Card>
  );
}

function Bonds({ bonds, of, choose }: { bonds: BondLine[]; of: string; choose(name: string): void }) {
  const [all, setAll] = useState(false);
  const shown = all ? bonds : bonds.slice(0, 8);
  return (
    <ul class="bonds">
      {shown.map((bond) => {
        const away = bond.from === of;
        const other = away ? bond.to_name : bond.from_name;
        return (
          <li key={bond.from + bond.kind + bond.to} class={bond.invalid_at ? "undone" : undefined}>
            <Stroke bond={bond.kind} />
            <span class="quiet">{away ? `${said(bond.kind)} →` : `← ${said(bond.kind)}`}</span>
            <button type="button" class="link" onClick={() => choose(other)}>{other}</button>
            <span class="quiet numbers" title={`weight ${share(bond.weight)}, confidence ${share(bond.confidence)}`}>{bond.invalid_at ? "no longer" : share(bond.weight)}</span>
          </li>
        );
      })}
      {bonds.length > 8 && <li><button type="button" class="link" onClick={() => setAll(!all)}>{all ? "fewer" : `${bonds.length - 8} more`}</button></li>}
    </ul>
  );
}

function Name({ form, node, nodes, choose, close }: { form: "merge" | "alias"; node: WholeNode; nodes: WholeNode[]; choose(name: string): void; close(): void }) {
  const [name, setName] = useState("");
  const save = async () => {
    const path = `/entities/${encodeURIComponent(node.name)}/${form}`;
    const reply = await api.change<EntityChanged>("POST", path, form === "merge" ? { into: name.trim() } : { alias: name.trim() });
    toast(form === "merge" ? `${node.name} is ${reply.entity.written}` : `${node.name} is also called ${name.trim()}`, reply.operation);
    close();
    if (form === "merge") choose(reply.entity.written);
  };
  return (
    <Dialog title={form === "merge" ? `${node.name} is the same as` : `${node.name} is also called`} close={close}>
      <form onSubmit={(event) => event.preventDefault()}>
        <div class="field">
          <label for="thing-name">{form === "merge" ? "the thing it goes into; what names the one names the other from now on" : "another name for it"}</label>
          <input id="thing-name" data-first list={form === "merge" ? "thing-names" : undefined} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          {form === "merge" && <datalist id="thing-names">{nodes.filter((other) => other.name !== node.name).slice(0, 300).map((other) => <option key={other.entity + other.scope} value={other.name} />)}</datalist>}
        </div>
        <footer>
          <button type="button" onClick={close}>cancel</button>
          <Act class="primary" disabled={!name.trim()} run={save}>{form === "merge" ? "make them one" : "add the name"}</Act>
        </footer>
      </form>
    </Dialog>
  );
}
