// Where the things of a graph go. The same data gives the same picture: the
// places they start from follow from their order, and chance is seeded.

import {
  forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY,
  type Simulation, type SimulationLinkDatum, type SimulationNodeDatum,
} from "d3-force";

/** What the layout is told: no names, only numbers. */
export interface Plan {
  /** Of each node. */
  radii: Float32Array;
  /** Of each node: its kind, as a number. Things of a kind start together. */
  kinds: Uint8Array;
  /** Two places for each edge. */
  ends: Uint32Array;
  weights: Float32Array;
  /** Where they were before, if they were anywhere. */
  places?: Float32Array;
}

interface Node extends SimulationNodeDatum {
  /** Its place in the plan; `index` is the simulation's own. */
  place: number;
  r: number;
}

/** Below this nothing moves that anybody could see. */
export const STILL = 0.02;

/** A source of chance that always says the same. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A spiral on which things of one kind lie side by side. */
export function spiral(kinds: Uint8Array): Float32Array {
  const order = Array.from(kinds.keys()).sort((a, b) => kinds[a]! - kinds[b]! || a - b);
  const places = new Float32Array(kinds.length * 2);
  const turn = Math.PI * (3 - Math.sqrt(5));
  // Sectors by kind, each filled from the middle outwards.
  const of = new Map<number, number>();
  for (const kind of kinds) of.set(kind, (of.get(kind) ?? 0) + 1);
  let angle = 0, rank = 0, last = -1;
  for (const place of order) {
    const kind = kinds[place]!;
    if (kind !== last) {
      if (last >= 0) angle += (2 * Math.PI * of.get(last)!) / kinds.length;
      last = kind;
      rank = 0;
    }
    const wide = (2 * Math.PI * of.get(kind)!) / kinds.length;
    const far = 14 * Math.sqrt((rank + 0.5) * (kinds.length / of.get(kind)!));
    const at = angle + wide * ((rank * turn * 0.31830988618) % 1);
    places[2 * place] = far * Math.cos(at);
    places[2 * place + 1] = far * Math.sin(at);
    rank++;
  }
  return places;
}

export interface Layout {
  /** One step; false when nothing moves any more. */
  tick(): boolean;
  places(into?: Float32Array): Float32Array;
  alpha(): number;
  /** Holds one node in a place, or lets it go. */
  hold(node: number, x: number, y: number): void;
  free(node: number): void;
}

export function layout(plan: Plan): Layout {
  const count = plan.radii.length;
  const start = plan.places ?? spiral(plan.kinds);
  const nodes: Node[] = Array.from({ length: count }, (_, i) => ({
    place: i, x: start[2 * i]!, y: start[2 * i + 1]!, r: plan.radii[i]!,
  }));
  const degree = new Uint32Array(count);
  const links: SimulationLinkDatum<Node>[] = [];
  const weight: number[] = [];
  for (let i = 0; i < plan.ends.length / 2; i++) {
    const a = plan.ends[2 * i]!, b = plan.ends[2 * i + 1]!;
    if (a === b || a >= count || b >= count) continue;
    degree[a]!++;
    degree[b]!++;
    links.push({ source: nodes[a]!, target: nodes[b]! });
    weight.push(plan.weights[i] ?? 0.5);
  }
  const ends = (link: SimulationLinkDatum<Node>) =>
    Math.min(degree[(link.source as Node).place]!, degree[(link.target as Node).place]!) || 1;
  // Few things may stand farther apart than many.
  const room = count < 60 ? 2.4 : count < 300 ? 1.5 : 1;
  // What is tied to nothing is pushed by everything and drawn by nothing. It
  // takes no part; it stands around the others, the best known nearest.
  const bound = nodes.filter((node) => degree[node.place]);
  const lone = nodes.filter((node) => !degree[node.place]).sort((a, b) => b.r - a.r || a.place - b.place);
  const simulation: Simulation<Node, undefined> = forceSimulation(bound)
    .randomSource(chance(8))
    .force("charge", forceManyBody<Node>().strength((n) => -(26 + n.r * 3) * room).theta(0.9).distanceMax(620 * room))
    .force("link", forceLink<Node, SimulationLinkDatum<Node>>(links)
      .distance((link) => (26 + (link.source as Node).r + (link.target as Node).r) * room)
      .strength((link, i) => (0.35 + 0.65 * weight[i]!) / ends(link)))
    .force("x", forceX<Node>(0).strength(0.04))
    .force("y", forceY<Node>(0).strength(0.055))
    .force("collide", forceCollide<Node>((n) => n.r + 2.5 * room).iterations(1).strength(0.7))
    .alphaDecay(plan.places ? 0.05 : 0.028)
    .velocityDecay(0.42)
    .stop();
  if (plan.places) simulation.alpha(0.6);
  return {
    tick() {
      simulation.tick();
      return simulation.alpha() > STILL;
    },
    places(into) {
      const places = into && into.length === 2 * count ? into : new Float32Array(2 * count);
      aside(lone, reach(bound), room);
      for (let i = 0; i < count; i++) {
        places[2 * i] = nodes[i]!.x!;
        places[2 * i + 1] = nodes[i]!.y!;
      }
      return places;
    },
    alpha: () => simulation.alpha(),
    hold(node, x, y) {
      const held = nodes[node];
      if (!held || !degree[node]) return;
      held.fx = held.x = x;
      held.fy = held.y = y;
      if (simulation.alpha() < 0.12) simulation.alpha(0.12);
    },
    free(node) {
      const held = nodes[node];
      if (held) held.fx = held.fy = null;
    },
  };
}

/** How far out they stand, but for a few. */
function reach(bound: Node[]): number {
  if (bound.length === 0) return 0;
  const far = Float32Array.from(bound, (node) => Math.hypot(node.x!, node.y!)).sort();
  return far[Math.min(far.length - 1, Math.floor(far.length * 0.985))]! + 30;
}

/** Rings around the rest; with no rest, rings around the first. */
function aside(lone: Node[], inner: number, room: number) {
  const round = 2 * Math.PI;
  let ring = inner, angle = -Math.PI / 2, left = round;
  for (const node of lone) {
    const wide = 2 * node.r + 9 * room;
    let step = ring > 0 ? wide / ring : round;
    if (left < step) {
      ring += Math.max(22 * room, node.r + 12);
      left = round;
      step = wide / ring;
    }
    node.x = ring * Math.cos(angle);
    node.y = ring * Math.sin(angle);
    angle += step;
    left -= step;
  }
}
