// Makes src/types.d.ts from the document that engramd serves, and src/agree.ts,
// by which the compiler checks that the shapes the pages read are those types.
// --compare writes nothing and says whether both are what the document gives.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { typesOf } from "./schema.mjs";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const source = resolve(web, "../docs/reference/openapi.json");
/** Shapes whose name is another one in the document; without one they are the pages' own. */
const CALLED = { WindowReply: "WindowShown", DayOf: "Day", Day: undefined, Entity: "KnownEntity" };
const HEAD = "// Made by build/types.mjs from docs/reference/openapi.json; `make web` writes it anew.\n\n";

if (!existsSync(source)) {
  console.error("docs/reference/openapi.json is not there: `UPDATE_EXPECT=1 cargo test -p engram-web` writes it");
  process.exit(1);
}
const document = JSON.parse(readFileSync(source, "utf8"));
const shapes = [...readFileSync(join(web, "src/shapes.d.ts"), "utf8").matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
const pairs = shapes.map((name) => [name, name in CALLED ? CALLED[name] : name]).filter(([, called]) => called && called in document.components.schemas);
const files = {
  "src/types.d.ts": `${HEAD}${typesOf(document)}\n`,
  "src/agree.ts": `${HEAD}import type * as Read from "./shapes";\nimport type * as Given from "./types";\n\n/** What is given has everything that is read, in the form it is read in. */\ntype Fits<R, G extends R> = [R, G];\n\nexport type Agreed = [\n${pairs.map(([name, called]) => `  Fits<Read.${name}, Given.${called}>,\n`).join("")}];\n`,
};
const differs = Object.entries(files).filter(([name, text]) => !existsSync(join(web, name)) || readFileSync(join(web, name), "utf8") !== text);
if (process.argv.includes("--compare")) {
  for (const [name] of differs) console.error(`web/${name} is not what docs/reference/openapi.json gives: run \`make web\``);
  process.exit(differs.length ? 1 : 0);
}
for (const [name, text] of differs) writeFileSync(join(web, name), text);
console.log(`${Object.keys(document.components.schemas).length} types, ${pairs.length} of them read by the pages`);
