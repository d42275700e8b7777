// What the parts of the graph agree on: the data, the scene, the camera.
// It knows neither the page nor the canvas.

/** As `/graph` answers. */
export interface GraphNode {
  entity: string;
  scope: string;
  name: string;
  kind: string;
  memories: number;
  bonds: number;
}

/** Places of two nodes, the kind of the bond, its weight. */
export type GraphEdge = [number, number, string, number];

export interface GraphData {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** Every kind of thing, each with a shape of its own. */
export const THINGS = ["file", "symbol", "package", "tool", "service", "person", "organisation", "host"] as const;

/** Every kind of bond. */
export const BONDS = [
  "uses", "depends_on", "is_a", "part_of", "causes", "fixes",
  "contradicts", "replaces", "related_to", "tested_by", "configured_by", "imports",
] as const;

/** How a bond is drawn: what is tied by it, in five families. */
export type Family = "needs" | "is" | "does" | "against" | "near";

export const FAMILIES: Record<Family, { bonds: readonly string[]; dash: readonly number[] }> = {
  needs: { bonds: ["uses", "depends_on", "imports", "configured_by"], dash: [] },
  is: { bonds: ["is_a", "part_of"], dash: [] },
  does: { bonds: ["causes", "fixes", "tested_by"], dash: [8, 3] },
  against: { bonds: ["contradicts", "replaces"], dash: [5, 4] },
  near: { bonds: ["related_to"], dash: [1.5, 4] },
};

export function family(bond: string): Family {
  for (const [name, one] of Object.entries(FAMILIES)) if (one.bonds.includes(bond)) return name as Family;
  return "near";
}

/** Where one looks: the middle of the picture, and pixels for one unit. */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

export const NEAREST = 8;
export const FARTHEST = 0.04;

/** In units of the plane. The area grows with what is known of a thing. */
export function radius(memories: number): number {
  return Math.min(18, 3.2 + Math.sqrt(Math.max(0, memories)) * 1.5);
}

/** In pixels. Far away nothing vanishes; near by things part rather than grow. */
export function drawn(radius: number, k: number): number {
  return k >= 1 ? radius * Math.sqrt(k) : Math.max(1.6, radius * Math.pow(k, 0.85));
}

export function toScreen(camera: Camera, width: number, height: number, x: number, y: number): [number, number] {
  return [(x - camera.x) * camera.k + width / 2, (y - camera.y) * camera.k + height / 2];
}

export function toPlane(camera: Camera, width: number, height: number, x: number, y: number): [number, number] {
  return [(x - width / 2) / camera.k + camera.x, (y - height / 2) / camera.k + camera.y];
}

/** Nearer or farther; the point under the pointer stays where it is. */
export function zoomed(camera: Camera, width: number, height: number, x: number, y: number, by: number): Camera {
  const k = Math.min(NEAREST, Math.max(FARTHEST, camera.k * by));
  const [px, py] = toPlane(camera, width, height, x, y);
  return { k, x: px - (x - width / 2) / k, y: py - (y - height / 2) / k };
}

/** The camera that sees all of these nodes. None are given: all. */
export function whole(places: Float32Array, seen: Uint8Array | null, width: number, height: number): Camera {
  let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
  for (let i = 0; i < places.length / 2; i++) {
    if (seen && !seen[i]) continue;
    const x = places[2 * i]!, y = places[2 * i + 1]!;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  if (left > right) return { x: 0, y: 0, k: 1 };
  const room = 56;
  const k = Math.min(
    Math.max(40, width - room) / Math.max(1, right - left),
    Math.max(40, height - room) / Math.max(1, bottom - top),
    2.2,
  );
  return { x: (left + right) / 2, y: (top + bottom) / 2, k: Math.max(FARTHEST, k) };
}

/** Which nodes lie at most `hops` bonds from one. */
export function around(data: GraphData, from: number, hops: number, bond?: (kind: string) => boolean): Uint8Array {
  const near = new Uint8Array(data.nodes.length);
  if (from < 0 || from >= data.nodes.length) return near;
  near[from] = 1;
  let edge = new Set([from]);
  for (let hop = 0; hop < hops && edge.size > 0; hop++) {
    const next = new Set<number>();
    for (const [a, b, kind] of data.edges) {
      if (bond && !bond(kind)) continue;
      if (edge.has(a) && !near[b]) next.add(b);
      if (edge.has(b) && !near[a]) next.add(a);
    }
    for (const place of next) near[place] = 1;
    edge = next;
  }
  return near;
}

/** Only these nodes and the bonds between them, and where each was before. */
export function part(data: GraphData, seen: Uint8Array): { data: GraphData; from: number[] } {
  const from: number[] = [];
  const to = new Int32Array(data.nodes.length).fill(-1);
  data.nodes.forEach((_, i) => {
    if (seen[i]) to[i] = from.push(i) - 1;
  });
  const edges: GraphEdge[] = [];
  for (const [a, b, kind, weight] of data.edges) {
    if (to[a]! >= 0 && to[b]! >= 0) edges.push([to[a]!, to[b]!, kind, weight]);
  }
  return { data: { nodes: from.map((i) => data.nodes[i]!), edges }, from };
}

/** The shape of a kind in a square of 16, for a legend. */
export function glyph(kind: string): string {
  const around = (count: number, r: number, from: number) =>
    Array.from({ length: count }, (_, i) => {
      const angle = from + (2 * Math.PI * i) / count;
      return `${i ? "L" : "M"}${(8 + r * Math.cos(angle)).toFixed(1)} ${(8 + r * Math.sin(angle)).toFixed(1)}`;
    }).join("") + "Z";
  const circle = (r: number) => `M${8 + r} 8A${r} ${r} 0 1 0 ${8 - r} 8A${r} ${r} 0 1 0 ${8 + r} 8Z`;
  switch (kind) {
    case "file": return "M3 3H13V13H3Z";
    case "symbol": return around(4, 6.6, -Math.PI / 2);
    case "package": return around(6, 6.2, 0);
    case "tool": return around(3, 7, -Math.PI / 2);
    case "host": return around(3, 7, Math.PI / 2);
    case "organisation": return around(5, 6.4, -Math.PI / 2);
    case "person": return circle(6) + circle(2.6);
    default: return circle(5.6);
  }
}
