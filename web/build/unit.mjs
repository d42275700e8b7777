// Bundles every unit test for Node and runs them with its own runner.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const out = mkdtempSync(join(tmpdir(), "engram-unit-"));
const tests = readdirSync(join(web, "unit")).filter((name) => /\.test\.(tsx?|mjs)$/.test(name));
await build({ absWorkingDir: web, entryPoints: tests.map((name) => `unit/${name}`), outdir: out, outExtension: { ".js": ".mjs" }, bundle: true, platform: "node", format: "esm", target: "node20", jsx: "automatic", jsxImportSource: "preact", logLevel: "warning" });
const files = readdirSync(out).map((name) => join(out, name));
const ended = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit", cwd: web });
rmSync(out, { recursive: true, force: true });
process.exit(ended.status ?? 1);
