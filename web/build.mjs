// Writes the page as a folder that any static host serves, or as one file, which works from disk:
// `node build.mjs OUT [--compress] [--with-urls] [--site FILE]`, `node build.mjs OUT --one-file [--site FILE]`.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { compress } from "./compress.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals: [out = join(here, "dist")] } = parseArgs({
  allowPositionals: true, options: { compress: { type: "boolean" }, "with-urls": { type: "boolean" }, "one-file": { type: "boolean" }, site: { type: "string" } },
});
const require = createRequire(import.meta.url);
// A build that may fetch URLs says so in its policy; the usual one cannot.
const withUrls = values["with-urls"] === true;
const oneFile = values["one-file"] === true;
const constants = { WITH_URLS: String(withUrls), ONE_FILE: String(oneFile) };
const common = {
  bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning", absWorkingDir: here,
  // Entry points of the package name all chunks they share; those that are not needed are left out, which is intended.
  logOverride: { "ignored-bare-import": "silent" },
};

/** What the page loads when it needs it. */
const MODULES = ["core.wasm", "oai.wasm", "sync.wasm"];
const TEXTS = ["rules.en.json", "rules.ja.json"];

// What the host says is beside the page and may be changed there, so that nothing else depends on it.
const SITE = "site.json";
const site = await siteFile(values.site ?? join(here, SITE));

// The workers: one file each, since a blob cannot import other files. A blob has no directory either: the page says where its files are
// (src/own.ts).
const WORKERS = {
  ...common, format: "iife", outdir: oneFile ? here : out,
  entryPoints: { surveyor: "src/surveyor.ts", validator: require.resolve("resourcesync/worker-script"), ...(oneFile && { lent: "src/lent.ts" }) },
  define: { "import.meta.url": "self.base", ...constants },
};
const { version } = JSON.parse(await readFile(require.resolve("resourcesync/package.json"), "utf8"));
const index = (await readFile(join(here, "index.html"), "utf8")).replace("{version}", version);
if (oneFile) {
  // Whoever opens it meanwhile has the whole old one.
  await writeFile(`${out}.new`, await asOneFile());
  await rename(`${out}.new`, out);
} else {
  await asFolder();
}

async function asFolder() {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await writeFile(join(out, SITE), site);

  // The page: the first view, and chunks for the rest.
  await build({ ...common, entryPoints: { main: "src/main.ts" }, outdir: out, splitting: true, chunkNames: "part-[hash]", define: constants });
  await build({ ...common, entryPoints: { page: "style/page.css" }, outdir: out });
  await build(WORKERS);

  for (const file of [...MODULES, "validate.wasm", ...TEXTS]) await cp(require.resolve(`resourcesync/${file}`), join(out, file));
  await cp(join(here, "static"), out, { recursive: true });
  await cp(join(here, "samples"), join(out, "samples"), { recursive: true });
  await writeFile(join(out, "index.html"), withUrls ? index.replace("connect-src 'self'", "connect-src 'self' https: http:") : index);

  // The service worker caches exactly these files, under a name that changes with any of them.
  const files = (await list(out)).sort();
  const sum = createHash("sha256");
  for (const file of files.filter((file) => file !== SITE)) sum.update(file).update(await readFile(join(out, file)));
  await build({
    ...common, entryPoints: { "service-worker": "src/service-worker.ts" }, outdir: out, format: "iife",
    define: { FILES: JSON.stringify(["./", ...files.filter((file) => file !== "index.html")]), BUILD: JSON.stringify(sum.digest("hex").slice(0, 16)) },
  });

  // What static hosts send instead of each file, if the browser accepts it. Modules that were built to be tested are tested only.
  if (values.compress) await compress(out, (await list(out)).filter((file) => file !== SITE), existsSync(join(here, "../target/npm/quick")));
}

/** The page with all its files in elements that no browser runs. Its policy names the digests of its script and its style, and allows no request at all. */
async function asOneFile() {
  const bundled = async (options) => (await build({ ...common, write: false, ...options })).outputFiles.map(({ path, text }) => [basename(path), text]);
  const [[, script]] = await bundled({ entryPoints: ["src/main.ts"], define: { "import.meta.url": "document.baseURI", ...constants } });
  const [[, style]] = await bundled({ entryPoints: ["style/page.css"] });
  const files = [[SITE, site], ...await bundled(WORKERS)];
  for (const file of [...MODULES, ...TEXTS]) files.push([file, await readFile(require.resolve(`resourcesync/${file}`))]);
  for (const file of await list(join(here, "samples"))) files.push([`samples/${file}`, await readFile(join(here, "samples", file))]);
  const contained = files.map(([name, content]) => `<script type="text/plain" id="file:${name}">${gzipSync(content, { level: 9 }).toString("base64")}</script>\n`);

  const digest = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const icon = `data:image/svg+xml;base64,${(await readFile(join(here, "static", "icon.svg"))).toString("base64")}`;
  const safe = script.replaceAll("</script", "<\\/script");
  const page = index
    .replace(/<link rel="(manifest|preload)".*>\n/g, "")
    .replace("script-src 'self'", `script-src ${digest(safe)}`)
    .replace("style-src 'self'", `style-src ${digest(style)}`)
    .replace("worker-src 'self' blob:", "worker-src blob:")
    .replace("img-src 'self' data:", "img-src data:")
    .replace("connect-src 'self'; manifest-src 'self'", "connect-src 'none'")
    .replace('href="icon.svg"', () => `href="${icon}"`)
    .replace('<link rel="stylesheet" href="page.css">', () => `<style>${style}</style>`)
    .replace('<script type="module" src="main.js"></script>\n', "")
    // The script may begin when the files are there.
    .replace("</body>", () => `${contained.join("")}<script type="module">${safe}</script>\n</body>`);
  if (/(src|href)="(?!data:)/.test(page.replace(/<(script|style)[^]*?<\/\1>/g, ""))) throw new Error("the page still refers to other files");
  return page;
}

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
