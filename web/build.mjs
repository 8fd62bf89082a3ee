// Writes the page as a folder that any static host serves: `node build.mjs OUT [--compress] [--with-urls] [--site FILE]`.

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { compress } from "./compress.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals: [out = join(here, "dist")] } = parseArgs({
  allowPositionals: true, options: { compress: { type: "boolean" }, "with-urls": { type: "boolean" }, site: { type: "string" } },
});
const require = createRequire(import.meta.url);
// A build that may fetch URLs says so in its policy; the usual one cannot.
const withUrls = values["with-urls"] === true;
const constants = { WITH_URLS: String(withUrls) };
const common = {
  bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning", absWorkingDir: here,
  // Entry points of the package name all chunks they share; those that are not needed are left out, which is intended.
  logOverride: { "ignored-bare-import": "silent" },
};

// What the host says is beside the page and may be changed there, so that nothing else depends on it.
const SITE = "site.json";
const site = await siteFile(values.site ?? join(here, SITE));

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await writeFile(join(out, SITE), site);

// The page: the first view, and chunks for the rest.
await build({ ...common, entryPoints: { main: "src/main.ts" }, outdir: out, splitting: true, chunkNames: "part-[hash]", define: constants });
await build({ ...common, entryPoints: { page: "style/page.css" }, outdir: out });
// The workers: one file each, since a blob cannot import other files.
await build({
  ...common, entryPoints: { surveyor: "src/surveyor.ts", validator: require.resolve("resourcesync/worker-script") }, outdir: out,
  // A blob has no directory either: the page says where its files are (src/engine/spawn.ts).
  define: { "import.meta.url": "self.base", ...constants },
});

for (const file of ["core.wasm", "validate.wasm", "oai.wasm", "sync.wasm", "rules.en.json", "rules.ja.json"]) await cp(require.resolve(`resourcesync/${file}`), join(out, file));
await cp(join(here, "static"), out, { recursive: true });
await cp(join(here, "samples"), join(out, "samples"), { recursive: true });
const { version } = JSON.parse(await readFile(require.resolve("resourcesync/package.json"), "utf8"));
const page = await readFile(join(here, "index.html"), "utf8");
const policy = withUrls ? page.replace("connect-src 'self'", "connect-src 'self' https: http:") : page;
await writeFile(join(out, "index.html"), policy.replace("{version}", version));

// The service worker caches exactly these files, under a name that changes with any of them.
const files = (await list(out)).sort();
const sum = createHash("sha256");
for (const file of files.filter((file) => file !== SITE)) sum.update(file).update(await readFile(join(out, file)));
await build({
  ...common, entryPoints: { "service-worker": "src/service-worker.ts" }, outdir: out, format: "iife",
  define: { FILES: JSON.stringify(["./", ...files.filter((file) => file !== "index.html")]), BUILD: JSON.stringify(sum.digest("hex").slice(0, 16)) },
});

// What static hosts send instead of each file, if the browser accepts it.
if (values.compress) await compress(out, (await list(out)).filter((file) => file !== SITE));

/** The text of such a file, which has to be right before it is published. */
async function siteFile(path) {
  const text = await readFile(path, "utf8");
  const { outputFiles: [checker] } = await build({ ...common, entryPoints: ["src/site.ts"], write: false });
  const { read } = await import(`data:text/javascript;base64,${Buffer.from(checker.contents).toString("base64")}`);
  const { wrong } = read(JSON.parse(text));
  if (wrong.length > 0) throw new Error(`${path}: what docs/page.md does not allow: ${wrong.join(", ")}`);
  const site = JSON.parse(text);
  return site.project === "" ? JSON.stringify({ ...site, project: await address() }, null, 2) : text;
}

/** The address of the project; empty while it is the placeholder. */
async function address() {
  const manifest = await readFile(join(here, "../Cargo.toml"), "utf8");
  const found = /^repository = "(.*)"$/m.exec(manifest)?.[1] ?? "";
  return new URL(found).hostname.endsWith(".example") ? "" : found;
}

async function list(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
