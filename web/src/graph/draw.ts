// One picture of the graph on a canvas. Lines of a family and nodes of a kind
// go out together; what is outside is left out; only the largest have a name.

import { FAMILIES, THINGS, drawn, family, radius, toPlane, type Camera, type Family, type GraphData } from "./shape";

/** The graph as it is drawn: numbers in arrays. */
export interface Scene {
  names: string[];
  radii: Float32Array;
  kinds: Uint8Array;
  /** The best known first. */
  order: Uint32Array;
  ends: Uint32Array;
  weights: Float32Array;
  bonds: string[];
  /** The edges of each family, the firmest first. */
  families: { name: Family; edges: Uint32Array }[];
  /** The edges at each node. */
  edgesOf: number[][];
  /** Below this weight an edge is left out from far away. */
  middling: number;
  places: Float32Array;
  /** Which nodes and edges are seen; null: all. */
  seen: Uint8Array | null;
  tied: Uint8Array | null;
  chosen: number | null;
  hovered: number | null;
}

export interface Colours {
  ink: string;
  soft: string;
  paper: string;
  accent: string;
  kinds: string[];
  families: Record<Family, string>;
  font: string;
}

export function sceneOf(data: GraphData, places: Float32Array): Scene {
  const count = data.nodes.length;
  const radii = new Float32Array(count);
  const kinds = new Uint8Array(count);
  data.nodes.forEach((node, i) => {
    radii[i] = radius(node.memories);
    const kind = (THINGS as readonly string[]).indexOf(node.kind);
    kinds[i] = kind < 0 ? THINGS.indexOf("service") : kind;
  });
  const order = Uint32Array.from(data.nodes.keys()).sort((a, b) => radii[b]! - radii[a]! || a - b);
  const ends = new Uint32Array(data.edges.length * 2);
  const weights = new Float32Array(data.edges.length);
  const edgesOf: number[][] = Array.from({ length: count }, () => []);
  const byFamily = new Map<Family, number[]>(Object.keys(FAMILIES).map((name) => [name as Family, []]));
  data.edges.forEach(([a, b, kind, weight], i) => {
    ends[2 * i] = a;
    ends[2 * i + 1] = b;
    weights[i] = weight;
    edgesOf[a]?.push(i);
    if (a !== b) edgesOf[b]?.push(i);
    byFamily.get(family(kind))!.push(i);
  });
  const sorted = Float32Array.from(weights).sort();
  return {
    names: data.nodes.map((node) => node.name),
    radii, kinds, order, ends, weights, edgesOf, places,
    bonds: data.edges.map((edge) => edge[2]),
    families: [...byFamily].map(([name, edges]) => ({
      name, edges: Uint32Array.from(edges.sort((a, b) => weights[b]! - weights[a]! || a - b)),
    })),
    middling: sorted.length > 400 ? sorted[sorted.length >> 1]! : 0,
    seen: null, tied: null, chosen: null, hovered: null,
  };
}

/** One outline of each kind of thing, around a point. */
export function outline(path: CanvasRenderingContext2D | Path2D, kind: number, x: number, y: number, r: number) {
  switch (THINGS[kind]) {
    case "file": {
      const h = r * 0.88;
      path.rect(x - h, y - h, 2 * h, 2 * h);
      return;
    }
    case "symbol": return corners(path, x, y, r * 1.2, 4, -Math.PI / 2);
    case "package": return corners(path, x, y, r * 1.1, 6, 0);
    case "tool": return corners(path, x, y, r * 1.25, 3, -Math.PI / 2);
    case "host": return corners(path, x, y, r * 1.25, 3, Math.PI / 2);
    case "organisation": return corners(path, x, y, r * 1.12, 5, -Math.PI / 2);
    case "person":
      // A ring: a circle with a hole, by the even-odd rule.
      path.moveTo(x + r, y);
      path.arc(x, y, r, 0, 2 * Math.PI);
      path.moveTo(x + r * 0.45, y);
      path.arc(x, y, r * 0.45, 0, 2 * Math.PI);
      return;
    default:
      path.moveTo(x + r, y);
      path.arc(x, y, r, 0, 2 * Math.PI);
  }
}

function corners(path: CanvasRenderingContext2D | Path2D, x: number, y: number, r: number, count: number, from: number) {
  for (let i = 0; i < count; i++) {
    const angle = from + (2 * Math.PI * i) / count;
    const px = x + r * Math.cos(angle), py = y + r * Math.sin(angle);
    if (i === 0) path.moveTo(px, py);
    else path.lineTo(px, py);
  }
  path.closePath();
}

const LABELS = 40;
/** A long path is drawn slower than its parts. */
const AT_ONCE = 100;

export interface Drawn {
  edges: number;
  nodes: number;
  labels: number;
}

export function draw(
  to: CanvasRenderingContext2D, scene: Scene, camera: Camera, colours: Colours,
  width: number, height: number, scale: number, moving: boolean, named: boolean,
): Drawn {
  const { places, ends, seen, tied, chosen, hovered } = scene;
  const { k } = camera;
  const dx = width / 2 - camera.x * k, dy = height / 2 - camera.y * k;
  const [left, top] = toPlane(camera, width, height, -24, -24);
  const [right, bottom] = toPlane(camera, width, height, width + 24, height + 24);
  const told: Drawn = { edges: 0, nodes: 0, labels: 0 };

  to.setTransform(scale, 0, 0, scale, 0, 0);
  to.clearRect(0, 0, width, height);

  const near = new Set<number>();
  const marked = new Set<number>();
  for (const of of [chosen, hovered]) {
    if (of === null || (seen && !seen[of])) continue;
    for (const edge of scene.edgesOf[of] ?? []) {
      if (tied && !tied[edge]) continue;
      const a = ends[2 * edge]!, b = ends[2 * edge + 1]!;
      if (seen && (!seen[a] || !seen[b])) continue;
      marked.add(edge);
      if (of === chosen) {
        near.add(a);
        near.add(b);
      }
    }
    if (of === chosen) near.add(of);
  }
  const dim = chosen !== null && near.size > 0;

  // The lines. Far away only the firm ones: the others would be a grey haze.
  const least = k < 0.5 || moving ? scene.middling : -1;
  const many = scene.weights.length > 1500;
  to.lineCap = "butt";
  for (const { name, edges } of scene.families) {
    if (edges.length === 0) continue;
    to.strokeStyle = colours.families[name];
    to.globalAlpha = dim ? 0.12 : many ? 0.38 : 0.62;
    // A line of a pixel or less is drawn many times faster than a wider one.
    to.lineWidth = many ? (k < 0.8 ? 0.7 : 1) / (scale > 1 ? scale / 1.4 : 1) : Math.min(1.6, 0.9 + k * 0.15);
    // Dashes cost as much as the lines: only where they can be told apart.
    if (!many || (k > 1.1 && !moving)) to.setLineDash(FAMILIES[name].dash as number[]);
    else to.setLineDash([]);
    let waiting = 0;
    to.beginPath();
    for (let n = 0; n < edges.length; n++) {
      const edge = edges[n]!;
      if (scene.weights[edge]! < least) break;
      if (tied && !tied[edge]) continue;
      const a = ends[2 * edge]!, b = ends[2 * edge + 1]!;
      if (seen && (!seen[a] || !seen[b])) continue;
      const ax = places[2 * a]!, ay = places[2 * a + 1]!, bx = places[2 * b]!, by = places[2 * b + 1]!;
      if ((ax < left && bx < left) || (ax > right && bx > right) || (ay < top && by < top) || (ay > bottom && by > bottom)) continue;
      to.moveTo(ax * k + dx, ay * k + dy);
      to.lineTo(bx * k + dx, by * k + dy);
      told.edges++;
      if (++waiting === AT_ONCE) {
        to.stroke();
        to.beginPath();
        waiting = 0;
      }
    }
    if (waiting) to.stroke();
  }
  to.setLineDash([]);

  // The lines of what one looks at, with their direction.
  if (marked.size > 0) {
    to.globalAlpha = 1;
    to.strokeStyle = to.fillStyle = colours.accent;
    to.lineWidth = 1.6;
    to.beginPath();
    const heads = new Path2D();
    for (const edge of marked) {
      const a = ends[2 * edge]!, b = ends[2 * edge + 1]!;
      const ax = places[2 * a]! * k + dx, ay = places[2 * a + 1]! * k + dy;
      const bx = places[2 * b]! * k + dx, by = places[2 * b + 1]! * k + dy;
      to.moveTo(ax, ay);
      to.lineTo(bx, by);
      const long = Math.hypot(bx - ax, by - ay);
      const gap = drawn(scene.radii[b]!, k) + 3;
      if (long < gap + 12) continue;
      const ux = (bx - ax) / long, uy = (by - ay) / long;
      const tx = bx - ux * gap, ty = by - uy * gap;
      heads.moveTo(tx, ty);
      heads.lineTo(tx - ux * 8 - uy * 4, ty - uy * 8 + ux * 4);
      heads.lineTo(tx - ux * 8 + uy * 4, ty - uy * 8 - ux * 4);
      heads.closePath();
    }
    to.stroke();
    to.fill(heads);
  }

  // The nodes, kind by kind; those that are near what was chosen a second time,
  // in full.
  const inView = (i: number) => {
    const x = places[2 * i]!, y = places[2 * i + 1]!;
    return (!seen || seen[i] === 1) && x >= left && x <= right && y >= top && y <= bottom;
  };
  const nodes = (which: (i: number) => boolean, alpha: number) => {
    to.globalAlpha = alpha;
    for (let kind = 0; kind < THINGS.length; kind++) {
      let any = false;
      to.beginPath();
      for (let i = 0; i < scene.kinds.length; i++) {
        if (scene.kinds[i] !== kind || !inView(i) || !which(i)) continue;
        const x = places[2 * i]! * k + dx, y = places[2 * i + 1]! * k + dy, r = drawn(scene.radii[i]!, k);
        // What is smaller than a letter's dot has no shape.
        if (r < 2.4) to.rect(x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
        else outline(to, kind, x, y, r);
        any = true;
        told.nodes++;
      }
      if (!any) continue;
      to.fillStyle = colours.kinds[kind]!;
      to.fill("evenodd");
      if (k > 0.75) {
        to.strokeStyle = colours.paper;
        to.lineWidth = 1;
        to.stroke();
      }
    }
    to.globalAlpha = 1;
  };
  nodes((i) => !near.has(i), dim ? 0.22 : 1);
  if (near.size > 0) nodes((i) => near.has(i), 1);
  for (const [of, wide] of [[hovered, 2], [chosen, 3]] as const) {
    if (of === null || !inView(of)) continue;
    to.strokeStyle = colours.accent;
    to.lineWidth = wide;
    to.beginPath();
    to.arc(places[2 * of]! * k + dx, places[2 * of + 1]! * k + dy, drawn(scene.radii[of]!, k) + 4, 0, 2 * Math.PI);
    to.stroke();
  }

  told.labels = labels(to, scene, camera, colours, dx, dy, width, height, near, marked, inView, named);
  return told;
}

function labels(
  to: CanvasRenderingContext2D, scene: Scene, camera: Camera, colours: Colours, dx: number, dy: number,
  width: number, height: number, near: Set<number>, marked: Set<number>, inView: (i: number) => boolean, named: boolean,
): number {
  const { places, chosen, hovered } = scene;
  const { k } = camera;
  to.font = colours.font;
  to.textBaseline = "middle";
  to.textAlign = "left";
  to.lineJoin = "round";
  to.strokeStyle = colours.paper;
  to.lineWidth = 3.5;
  const taken: [number, number, number, number][] = [];
  const free = (x: number, y: number, w: number, h: number) =>
    taken.every(([tx, ty, tw, th]) => x > tx + tw || x + w < tx || y > ty + th || y + h < ty);
  let count = 0;
  const name = (i: number, must: boolean): boolean => {
    const r = drawn(scene.radii[i]!, k);
    const x = places[2 * i]! * k + dx, y = places[2 * i + 1]! * k + dy;
    const text = short(scene.names[i]!);
    const wide = wideness(to, text);
    // To the right; to the left where the picture ends.
    const at = x + r + 5 + wide > width - 4 && x - r - 5 - wide > 4 ? x - r - 5 - wide : x + r + 5;
    if (!must && !free(at - 3, y - 8, wide + 6, 16)) return false;
    taken.push([at - 3, y - 8, wide + 6, 16]);
    to.globalAlpha = 0.9;
    to.strokeText(text, at, y);
    to.globalAlpha = 1;
    to.fillStyle = i === chosen || i === hovered ? colours.accent : colours.ink;
    to.fillText(text, at, y);
    count++;
    return true;
  };
  if (chosen !== null && inView(chosen)) name(chosen, true);
  if (hovered !== null && hovered !== chosen && inView(hovered)) name(hovered, true);
  // What ties them, where there is room for a word.
  if (chosen !== null && marked.size <= 16) {
    for (const edge of marked) {
      const a = scene.ends[2 * edge]!, b = scene.ends[2 * edge + 1]!;
      const ax = places[2 * a]! * k + dx, ay = places[2 * a + 1]! * k + dy;
      const bx = places[2 * b]! * k + dx, by = places[2 * b + 1]! * k + dy;
      const word = scene.bonds[edge]!.replaceAll("_", " ");
      const wide = wideness(to, word);
      if (Math.hypot(bx - ax, by - ay) < wide + 36) continue;
      const x = (ax + bx) / 2 - wide / 2, y = (ay + by) / 2;
      if (!free(x - 2, y - 7, wide + 4, 14)) continue;
      taken.push([x - 2, y - 7, wide + 4, 14]);
      to.strokeText(word, x, y);
      to.fillStyle = colours.soft;
      to.fillText(word, x, y);
    }
  }
  if (!named) return count;
  const most = width < 500 ? LABELS / 3 : LABELS;
  let tried = 0;
  for (const i of scene.order) {
    if (count >= most || tried > most * 4) break;
    if (i === chosen || i === hovered || !inView(i)) continue;
    if (near.size > 0 && !near.has(i)) continue;
    const x = places[2 * i]! * k + dx, y = places[2 * i + 1]! * k + dy;
    if (x < 0 || y < 0 || x > width || y > height) continue;
    tried++;
    name(i, false);
  }
  return count;
}

const LONGEST = 28;

/** A long name keeps its end: of a path that is what tells it apart. */
export function short(name: string): string {
  if (name.length <= LONGEST) return name;
  return name.includes("/") ? "…" + name.slice(1 - LONGEST) : name.slice(0, LONGEST - 1) + "…";
}

const widths = new Map<string, number>();

function wideness(to: CanvasRenderingContext2D, text: string): number {
  const at = to.font + text;
  let known = widths.get(at);
  if (known === undefined) {
    if (widths.size > 5000) widths.clear();
    known = to.measureText(text).width;
    widths.set(at, known);
  }
  return known;
}
