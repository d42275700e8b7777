import assert from "node:assert/strict";
import { test } from "node:test";
import { differ } from "../src/lib/diff";

const told = (older: string, newer: string) => differ(older, newer).map(({ side, text }) => (side === "same" ? text : side === "older" ? `[-${text}-]` : `{+${text}+}`)).join("");

test("what differs is told by words", () => {
  assert.equal(told("port 5433 is used", "port 5434 is used"), "port [-5433-]{+5434+} is used");
  assert.equal(told("same", "same"), "same");
  assert.equal(told("", "all new"), "{+all new+}");
  assert.equal(told("all old", ""), "[-all old-]");
});

test("both texts can be read back from the parts", () => {
  let seed = 8;
  const chance = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  const words = ["the", "cart", "lives", "in", "Redis", ",", "şu", "\n", "5433"];
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: chance(14) }, () => words[chance(words.length)]).join(" ");
    const [older, newer] = [text(), text()];
    const parts = differ(older, newer);
    const side = (one: string) => parts.filter((part) => part.side === "same" || part.side === one).map((part) => part.text).join("");
    assert.equal(side("older"), older);
    assert.equal(side("newer"), newer);
  }
});

test("texts that are too long to compare are told one after the other", () => {
  const [a, b] = ["a ".repeat(3000), "b ".repeat(3000)];
  assert.ok(differ(a, b).length <= 3);
});
