import { test } from "node:test";
import assert from "node:assert/strict";
import { chance, layout, spiral, STILL } from "../src/graph/force";
import { sceneOf, short } from "../src/graph/draw";
import { Grid } from "../src/graph/hit";
import { around, BONDS, drawn, family, part, radius, THINGS, toPlane, toScreen, whole, zoomed, type GraphData } from "../src/graph/shape";

function made(count: number, edges: number, seed = 5): GraphData {
  const next = chance(seed);
  return {
    nodes: Array.from({ length: count }, (_, i) => ({ entity: `e${i}`, scope: "project", name: `thing ${i}`, kind: THINGS[i % THINGS.length]!, memories: 1 + (i % 9), bonds: 0 })),
    edges: Array.from({ length: edges }, () => [Math.floor(next() * count), Math.floor(next() * count), BONDS[Math.floor(next() * BONDS.length)]!, next()]),
  };
}

function laid(data: GraphData, places?: Float32Array) {
  const { radii, kinds, ends, weights } = sceneOf(data, new Float32Array(data.nodes.length * 2));
  const one = layout({ radii, kinds, ends, weights, places });
  let ticks = 0;
  while (one.tick() && ticks < 1000) ticks++;
  return { places: one.places(), ticks, alpha: one.alpha() };
}

test("the same data gives the same picture", () => {
  const data = made(120, 260);
  assert.deepEqual(laid(data).places, laid(data).places);
});

test("a layout comes to rest, and everything has a place", () => {
  for (const data of [made(1, 0), made(2, 1), made(40, 0), made(200, 500)]) {
    const { places, ticks, alpha } = laid(data);
    assert.ok(ticks < 400 && alpha <= STILL);
    assert.ok(places.every(Number.isFinite));
  }
});

test("what is tied to nothing stands apart and around the rest", () => {
  const data = made(60, 0);
  data.edges = Array.from({ length: 39 }, (_, i) => [i, i + 1, "uses", 0.5]);
  const { places } = laid(data);
  const far = (i: number) => Math.hypot(places[2 * i]!, places[2 * i + 1]!);
  const bound = Array.from({ length: 40 }, (_, i) => far(i)).sort((a, b) => a - b);
  for (let i = 40; i < 60; i++) assert.ok(far(i) > bound[Math.floor(bound.length * 0.9)]!);
  for (let i = 40; i < 60; i++) for (let j = 40; j < i; j++) {
    assert.ok(Math.hypot(places[2 * i]! - places[2 * j]!, places[2 * i + 1]! - places[2 * j + 1]!) > 2, `${i} lies on ${j}`);
  }
});

test("things without any bond do not lie on each other", () => {
  const { places } = laid(made(50, 0));
  for (let i = 0; i < 50; i++) for (let j = 0; j < i; j++) {
    assert.ok(Math.hypot(places[2 * i]! - places[2 * j]!, places[2 * i + 1]! - places[2 * j + 1]!) > 2, `${i} lies on ${j}`);
  }
});

test("a node that is held stays where it is put", () => {
  const data = made(30, 60);
  const { radii, kinds, ends, weights } = sceneOf(data, new Float32Array(60));
  const one = layout({ radii, kinds, ends, weights });
  const held = data.edges[0]![0];
  one.hold(held, 500, -300);
  for (let i = 0; i < 20; i++) one.tick();
  assert.deepEqual([...one.places().slice(2 * held, 2 * held + 2)], [500, -300]);
  one.free(held);
  for (let i = 0; i < 20; i++) one.tick();
  assert.notDeepEqual([...one.places().slice(2 * held, 2 * held + 2)], [500, -300]);
});

test("edges of places that are not there do no harm", () => {
  const data = made(4, 0);
  data.edges = [[0, 9, "uses", 0.5], [1, 1, "is_a", 0.5], [0, 1, "a_bond_to_come", 0.5]];
  assert.ok(laid(data).places.every(Number.isFinite));
});

test("the grid finds what looking at every node finds", () => {
  const data = made(400, 0);
  const places = spiral(Uint8Array.from(data.nodes.keys(), (i) => i % 8));
  const radii = Float32Array.from(data.nodes, (node) => radius(node.memories));
  const seen = Uint8Array.from(data.nodes.keys(), (i) => (i % 5 ? 1 : 0));
  const next = chance(9);
  for (const k of [0.05, 0.3, 1, 4]) {
    const camera = { x: 0, y: 0, k };
    const grid = new Grid(places, radii, seen);
    for (let round = 0; round < 300; round++) {
      const x = (next() - 0.5) * 700, y = (next() - 0.5) * 700;
      let best: number | null = null, nearest = Infinity;
      for (let i = 0; i < 400; i++) {
        const away = Math.hypot(places[2 * i]! - x, places[2 * i + 1]! - y) * k;
        if (seen[i] && away - drawn(radii[i]!, k) <= 4 && away < nearest) [best, nearest] = [i, away];
      }
      assert.equal(grid.at(x, y, camera, 4), best);
    }
  }
});

test("the point under the pointer stays when one zooms", () => {
  let camera = { x: 12, y: -7, k: 0.8 };
  for (const by of [1.3, 0.5, 2, 3]) {
    const point = toPlane(camera, 900, 600, 210, 333);
    camera = zoomed(camera, 900, 600, 210, 333, by);
    const [x, y] = toScreen(camera, 900, 600, ...point);
    assert.ok(Math.abs(x - 210) < 1e-6 && Math.abs(y - 333) < 1e-6);
  }
});

test("all of it is in sight, or all that is seen", () => {
  const places = Float32Array.from([-400, -100, 900, 50, 10000, 10000]);
  const camera = whole(places, Uint8Array.from([1, 1, 0]), 640, 400);
  for (const [px, py] of [[-400, -100], [900, 50]] as const) {
    const [x, y] = toScreen(camera, 640, 400, px, py);
    assert.ok(x >= 0 && x <= 640 && y >= 0 && y <= 400);
  }
  assert.deepEqual(whole(new Float32Array(0), null, 640, 400), { x: 0, y: 0, k: 1 });
});

test("neighbours are found in both directions, as far as is asked", () => {
  const data = made(6, 0);
  data.edges = [[1, 0, "uses", 1], [1, 2, "is_a", 1], [2, 3, "uses", 1], [4, 5, "uses", 1]];
  assert.deepEqual([...around(data, 0, 1)], [1, 1, 0, 0, 0, 0]);
  assert.deepEqual([...around(data, 0, 2)], [1, 1, 1, 0, 0, 0]);
  assert.deepEqual([...around(data, 0, 3)], [1, 1, 1, 1, 0, 0]);
  assert.deepEqual([...around(data, 0, 3, (kind) => kind === "uses")], [1, 1, 0, 0, 0, 0]);
  assert.deepEqual([...around(data, -1, 3)], [0, 0, 0, 0, 0, 0]);
});

test("a part of a graph keeps the bonds within it", () => {
  const data = made(4, 0);
  data.edges = [[0, 1, "uses", 1], [1, 3, "is_a", 0.4]];
  const found = part(data, Uint8Array.from([0, 1, 0, 1]));
  assert.deepEqual(found.from, [1, 3]);
  assert.deepEqual(found.data.edges, [[0, 1, "is_a", 0.4]]);
  assert.deepEqual(found.data.nodes.map((node) => node.name), ["thing 1", "thing 3"]);
});

test("every kind of bond belongs to a family, an unknown one to the last", () => {
  for (const bond of BONDS) assert.ok(family(bond));
  assert.equal(family("something_new"), "near");
});

test("a long path keeps its end, another name its beginning", () => {
  assert.equal(short("redis"), "redis");
  assert.match(short("crates/engram-daemon/src/orders/window.rs"), /^….*window\.rs$/);
  assert.match(short("a name that is longer than anybody would like"), /^a name.*…$/);
});
