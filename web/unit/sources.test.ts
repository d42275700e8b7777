import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("texts are never made into markup, and no source names another host", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => /\.(tsx?|css|html)$/.test(name));
  assert.ok(files.length > 30);
  for (const name of files) {
    const text = readFileSync(`src/${name}`, "utf8");
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|\beval\(|new Function|document\.write/, name);
    assert.doesNotMatch(text.replaceAll("http://www.w3.org/2000/svg", ""), /https?:\/\//, name);
  }
});

test("no file is past 600 lines", () => {
  for (const name of readdirSync("src", { recursive: true, encoding: "utf8" }).filter((one) => /\.(tsx?|css)$/.test(one))) {
    const lines = readFileSync(`src/${name}`, "utf8").split("\n").length;
    assert.ok(lines <= 600, `${name} has ${lines} lines`);
  }
});
