// Builds the window into crates/engram-web/bundle, or with --out DIR elsewhere.
// The result is a function of the sources and of package-lock.json: fixed names,
// no hashes, no source maps. --compare builds into a temporary folder and says
// whether the committed bundle is what the sources give; --sizes prints sizes.
import { build } from "esbuild";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const committed = resolve(web, "../crates/engram-web/bundle");
/** Scripts and styles together, compressed: what the issue allows, with room. */
const MOST = 120 * 1024;

const FONT = "@fontsource-variable/inter";

/** Under which licences the parts stand that others wrote: whatever went in, and the font. */
function licences(inputs) {
  const modules = [...new Set([FONT, ...inputs.flatMap((file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? [])])].sort();
  return modules.map((name) => {
    const at = join(web, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(join(at, file), "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version}\n${"=".repeat(name.length + version.length + 1)}\n\n${text}\n`;
  }).join("\n\n").replaceAll("\r\n", "\n");
}

export async function bundle(out, { minify = true } = {}) {
  mkdirSync(out, { recursive: true });
  const entries = { app: "src/app.tsx", boot: "src/boot.ts", graph: "src/graph/view.ts", layout: "src/graph/layout.ts", style: "src/style.css" };
  const { metafile } = await build({
    absWorkingDir: web, metafile: true, entryPoints: entries, outdir: out, bundle: true, minify, format: "esm", target: "es2022", charset: "utf8",
    legalComments: "none", sourcemap: false, jsx: "automatic", jsxImportSource: "preact", external: ["/graph.js", "/layout.js", "/inter-latin.woff2", "/inter-latin-ext.woff2"], logLevel: "warning",
  });
  cpSync(join(web, "src/index.html"), join(out, "index.html"));
  cpSync(join(web, "src/icon.svg"), join(out, "icon.svg"));
  const fonts = join(web, "node_modules", FONT, "files");
  for (const part of ["latin", "latin-ext"]) cpSync(join(fonts, `inter-${part}-wght-normal.woff2`), join(out, `inter-${part}.woff2`));
  writeFileSync(join(out, "LICENCES.txt"), licences(Object.keys(metafile.inputs)));
}

export function sizes(out) {
  const lines = readdirSync(out).sort().map((name) => {
    const bytes = readFileSync(join(out, name));
    return { name, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  });
  const code = lines.filter(({ name }) => /\.(js|css|html)$/.test(name)).reduce((sum, line) => sum + line.gzip, 0);
  return { lines, code };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  const compare = words.includes("--compare");
  const out = compare ? mkdtempSync(join(tmpdir(), "engram-bundle-")) : words.includes("--out") ? resolve(words[words.indexOf("--out") + 1]) : committed;
  if (!compare && out === committed) rmSync(out, { recursive: true, force: true });
  await bundle(out);
  const { lines, code } = sizes(out);
  if (words.includes("--sizes")) for (const line of lines) console.log(line.name.padEnd(24), String(line.bytes).padStart(8), String(line.gzip).padStart(8), "gzip");
  console.log(`scripts, styles and page: ${code} bytes compressed, of ${MOST}`);
  let wrong = code > MOST ? ["too large"] : [];
  if (compare) {
    const names = new Set([...readdirSync(out), ...(existsSync(committed) ? readdirSync(committed) : [])]);
    const read = (folder, name) => existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0);
    wrong = wrong.concat([...names].filter((name) => !read(out, name).equals(read(committed, name))).map((name) => `${name} is not what the sources give: run \`make web\``));
    rmSync(out, { recursive: true, force: true });
  }
  for (const line of wrong) console.error(line);
  process.exit(wrong.length ? 1 : 0);
}
