/** The packed package, installed into a fresh project: node, TypeScript, bundlers, browsers, the examples. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";

import { root } from "./cases.mjs";
import { begin, serve } from "./chromium.mjs";
import { fresh } from "./project.mjs";

const own = join(root, "wasm");
const LIST = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"></urlset>';

let browser, project, tarball, installed;
before(async () => {
  ({ project, tarball } = fresh("fresh"));
  installed = join(project, "node_modules/resourcesync");
  browser = await begin();
});
after(() => browser?.close());

function write(name, text) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

const tool = (name) => join(own, "node_modules", name);

test("what is shipped is what is meant to be, and nothing else", () => {
  const shipped = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "core.wasm", "validate.wasm", "publish.wasm", "notify.wasm", "hub.wasm", "sync.wasm", "oai.wasm", "rules.en.json", "rules.ja.json", "report.schema.json", "cli.js"]) {
    assert.ok(shipped.includes(name), name);
  }
  assert.deepEqual(shipped.filter((name) => !/\.(js|d\.ts|json|wasm|md)$|^LICENSE-|^NOTICE-THIRD-PARTY$/.test(name)), []);
});

test("node imports it and requires it", () => {
  const body = `console.log(validateSync(${JSON.stringify(LIST)}).verdict)`;
  write("a.mjs", `import { validateSync } from "resourcesync";\n${body}`);
  write("b.cjs", `const { validateSync } = require("resourcesync");\n${body}`);
  assert.equal(node("a.mjs"), "invalid");
  assert.equal(node("--no-warnings", "b.cjs"), "invalid");
  assert.match(execFileSync("npx", ["--offline", "resourcesync", "--version"], { cwd: project, encoding: "utf8" }), /^resourcesync \d/);
});

test("the types hold under strict settings, however modules are resolved", () => {
  const text = `import { validate, entries, build, openPackage, crawl, Publication, RefusedError, type Store, type Report, type Entry } from "resourcesync";
import { Engine } from "resourcesync/worker";
import * as lite from "resourcesync/lite";
import * as inline from "resourcesync/inline";
import { drive, Publisher, Subscriber, type Topic } from "resourcesync/notify";
import { Hub, HubDriver, type HubTurn } from "resourcesync/hub";
export async function all(file: Blob, stream: ReadableStream<Uint8Array>): Promise<Report> {
  for await (const entry of entries(stream)) { const own: Entry = entry; const length: number | bigint | undefined = own.length; void length; }
  try { build("change-list", { from: "2024-01-01T00:00:00Z" }, [{ uri: "http://example.com/1" }]); } catch (error) { if (error instanceof RefusedError) error.diagnostic.code; }
  using part = await openPackage(file);
  await part.read("manifest.xml");
  await crawl("https://example.com/", { fetch: async (uri) => ({ body: uri }) });
  const store: Store = { begin() {}, async write(bytes) { bytes.length; }, end() {} };
  const source = new Publication("https://example.com/", "2024-01-01T00:00:00Z", { store });
  source.announce({ capability: "change-notification", uri: "https://example.com/channel", hub: "https://example.com/hub" });
  const names: readonly string[] = (await source.publish()).written; void names;
  await new Engine().validate(file, { onProgress: ({ bytes }) => bytes });
  const topic: Topic = { uri: "https://example.com/changes", hubs: ["https://hub.example/"] };
  const publisher = new Publisher();
  await drive(publisher, publisher.publish(topic, new Uint8Array()), (keep) => keep);
  const reply: Response = (await new Subscriber({ callback: "https://me.example/rs/" }).answer(new Request("https://me.example/rs/"))).reply; void reply;
  const hub = new Hub({ publicUri: "https://hub.example/", topics: [{ uri: "https://hub.example/t", kind: "change-notification", publishers: ["example"] }], publishers: [{ name: "example", hmac: "s" }] });
  const driver = new HubDriver(hub, { keep: async (values) => { for (const [key, value] of Object.entries(values)) { void key; void value; } }, onEvent: (event) => event.kind === "ordered" && event.count, signal: AbortSignal.abort() });
  const replied: Response = await driver.answer("198.51.100.7", new Request("https://hub.example/")); void replied;
  const answered: Uint8Array = (await driver.answer("198.51.100.7", { method: "GET", path: "/" })).body; void answered;
  const turn: HubTurn = hub.replay(1, { subscription: 1 }); const at: number = turn.waitUntil.getTime(); void at;
  // @ts-expect-error a Source without a credential
  new Hub({ publicUri: "https://hub.example/", topics: [], publishers: [{ name: "example" }] });
  // @ts-expect-error an option that does not exist
  new Publisher({ strict: true });
  await lite.validate("x"); await inline.validate("x");
  // @ts-expect-error a kind that does not exist
  await validate(file, { expect: "resource-lists" });
  // @ts-expect-error an option that does not exist
  await validate(file, { selekt: [] });
  const report = await validate(file, { expect: "resource-list" });
  // @ts-expect-error reports are not written to
  report.verdict = "valid";
  return report;
}
`;
  const browser = { types: [], lib: ["es2023", "dom", "dom.asynciterable", "esnext.disposable"] };
  // A project for node alone has no types of browsers; those of node are not for the strictest setting.
  const server = { exactOptionalPropertyTypes: false, types: ["node"], lib: ["es2023"], typeRoots: [tool("@types")] };
  const ways = [["nodenext", "nodenext"], ["node16", "node16"], ["esnext", "bundler"]].flatMap(([module, moduleResolution]) => [browser, server].map((own) => ({ module, moduleResolution, ...own })));
  for (const way of ways) {
    write("typed/index.mts", text);
    write("typed/tsconfig.json", JSON.stringify({
      compilerOptions: { target: "es2022", strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: false, ...way },
      include: ["*.mts"],
    }));
    const { status, stdout } = spawnSync(process.execPath, [tool("typescript/bin/tsc"), "-p", join(project, "typed")], { encoding: "utf8" });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "" }, JSON.stringify(way));
  }
});

test("publint and attw find nothing", () => {
  const lint = spawnSync(process.execPath, [tool("publint/src/cli.js"), installed, "--strict"], { encoding: "utf8" });
  assert.equal(lint.status, 0, lint.stdout + lint.stderr);
  // ESM only, so CommonJS of old is not asked about; the worker's script and the data have no types.
  const args = [tool("@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only", "--format", "ascii", "--exclude-entrypoints", "./worker-script", "./rules.en.json", "./rules.ja.json", "./report.schema.json"];
  const types = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(types.status, 0, types.stdout + types.stderr);
});

/** Opens a folder in Chromium and gives what a script says there. */
async function shown(folder, work, pages) {
  const server = await serve({ "/": folder }, pages);
  const page = await browser.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  try {
    await page.goto(server.url + (pages ? "/" : "/index.html"));
    return await work(page);
  } catch (error) {
    throw new Error([error.message, ...wrong].join("; "));
  } finally {
    await page.close();
    server.close();
  }
}

const SHOWS = `import { validate } from "resourcesync"; validate(${JSON.stringify(LIST)}).then(({ verdict }) => (document.title = verdict), (error) => (document.title = error.message));`;
const PAGE = '<!doctype html><title>waiting</title><script type="module" src="/main.js"></script>';
const title = async (page) => {
  await page.waitForFunction(() => document.title !== "waiting");
  return page.title();
};

test("a page built by Vite validates a file in a worker", async () => {
  const [page, out] = [join(project, "page"), join(project, "page-built")];
  cpSync(join(own, "examples/page"), page, { recursive: true });
  await vite({ root: page, base: "./", logLevel: "warn", build: { outDir: out, emptyOutDir: true } });
  const verdict = await shown(out, async (page) => {
    await page.setInputFiles("input", { name: "list.xml", mimeType: "application/xml", buffer: Buffer.from(LIST) });
    await page.waitForSelector("pre[data-verdict]");
    assert.match(await page.textContent("pre"), /INVALID/);
    return page.getAttribute("pre", "data-verdict");
  });
  assert.equal(verdict, "invalid");
});

test("webpack finds the module by itself", async () => {
  write("main.mjs", SHOWS);
  const path = join(project, "webpacked");
  const stats = await new Promise((done, fail) =>
    webpack({ context: project, mode: "production", entry: "./main.mjs", output: { path, filename: "main.js", publicPath: "/" } }, (error, stats) => (error ? fail(error) : done(stats))),
  );
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }).errors, []);
  assert.equal(await shown(path, title, { "/": PAGE }), "invalid");
});

test("esbuild bundles it; the module is copied beside, or carried inside", async () => {
  const path = join(project, "esbuilt");
  write("main.mjs", SHOWS);
  const settings = { bundle: true, format: "esm", logLevel: "error", absWorkingDir: project };
  await esbuild({ ...settings, entryPoints: ["main.mjs"], outfile: join(path, "main.js") });
  // Either module does: where the small one is missing, the whole one steps in.
  for (const name of ["core.wasm", "validate.wasm"]) {
    copyFileSync(join(installed, "dist", name), join(path, name));
    assert.equal(await shown(path, title, { "/": PAGE }), "invalid");
    rmSync(join(path, name));
  }
  write("inline.mjs", SHOWS.replace('"resourcesync"', '"resourcesync/inline"'));
  await esbuild({ ...settings, entryPoints: ["inline.mjs"], outfile: join(path, "inline/main.js") });
  assert.ok(!existsSync(join(path, "inline/core.wasm")));
  assert.equal(await shown(join(path, "inline"), title, { "/": PAGE }), "invalid");
  write("engine.mjs", SHOWS.replace("{ validate }", "{ Engine }").replace('"resourcesync"', '"resourcesync/worker"').replace("validate(", "new Engine().validate("));
  await esbuild({ ...settings, entryPoints: ["engine.mjs"], outfile: join(path, "engine/main.js") });
  for (const name of ["core.wasm", "worker-script.js"]) copyFileSync(join(installed, "dist", name), join(path, "engine", name));
  assert.equal(await shown(join(path, "engine"), title, { "/": PAGE }), "invalid");
});

test("a bundle contains what it uses", async () => {
  const size = async (names, platform) => {
    write("used.mjs", `import { ${names} } from "resourcesync"; console.log(${names});`);
    const { outputFiles } = await esbuild({ bundle: true, minify: true, format: "esm", platform, write: false, logLevel: "error", absWorkingDir: project, entryPoints: ["used.mjs"] });
    return outputFiles[0].contents.length;
  };
  for (const platform of ["browser", "node"]) {
    const [version, errors, all] = [await size("version", platform), await size("RefusedError, OptionError", platform), await size("validate, build, crawl, openPackage", platform)];
    assert.ok(version < 2500, `version: ${version} bytes for ${platform}`);
    assert.ok(errors < 3500, `errors: ${errors} bytes for ${platform}`);
    assert.ok(all > 30_000, `${all} bytes for ${platform}`);
  }
});

for (const [name, says, uses] of [
  ["notify", "sha256=", '{ init, sign } from "resourcesync/notify"; init().then(() => sign("sha256", new Uint8Array(1), new Uint8Array(1)).slice(0, 7))'],
  ["hub", "404", '{ Hub, init } from "resourcesync/hub"; init().then(() => new Hub({ publicUri: "https://hub.example/", topics: [], publishers: [] }).answer("203.0.113.5", new Request("https://hub.example/none"))).then(({ reply }) => String(reply.status))'],
]) {
  test(`bundlers find the module of resourcesync/${name}, and only where it is imported`, async () => {
    write("main.mjs", `import ${uses}.then((text) => (document.title = text), (error) => (document.title = error.message));`);
    const path = join(project, `webpacked-${name}`);
    await new Promise((done, fail) =>
      webpack({ context: project, mode: "production", entry: "./main.mjs", output: { path, filename: "main.js", publicPath: "/" } }, (error, stats) => (error ?? stats.hasErrors() ? fail(error ?? new Error(stats.toString())) : done())),
    );
    assert.equal(readdirSync(path).filter((file) => file.endsWith(".wasm")).length, 1);
    assert.equal(await shown(path, title, { "/": PAGE }), says);
    const esbuilt = join(project, `esbuilt-${name}`);
    await esbuild({ bundle: true, format: "esm", logLevel: "error", absWorkingDir: project, entryPoints: ["main.mjs"], outfile: join(esbuilt, "main.js") });
    copyFileSync(join(installed, `dist/${name}.wasm`), join(esbuilt, `${name}.wasm`));
    assert.equal(await shown(esbuilt, title, { "/": PAGE }), says);
  });
}

test("a bundle for a server loads without the module, and says at first use what to do", async () => {
  const calls = `const told = [];
for (const call of [() => validate(LIST), async () => validateSync(LIST), () => explain("RL-03")]) {
  told.push(await call().then((done) => done.verdict ?? done[0].rule, (error) => error.message));
}
console.log(JSON.stringify(told));`;
  const text = (from) => `import { explain, validate, validateSync } from ${JSON.stringify(from)};\nconst LIST = ${JSON.stringify(LIST)};\n`;
  write("server.mjs", text("resourcesync") + calls);
  const folder = join(project, "served");
  await esbuild({ bundle: true, platform: "node", format: "esm", logLevel: "error", absWorkingDir: project, entryPoints: ["server.mjs"], outfile: join(folder, "esm.mjs") });
  write("server-cjs.mjs", `${text("resourcesync")}(async () => {\n${calls}\n})();`);
  await esbuild({ bundle: true, platform: "node", format: "cjs", logLevel: "error", logOverride: { "empty-import-meta": "silent" }, absWorkingDir: project, entryPoints: ["server-cjs.mjs"], outfile: join(folder, "cjs.cjs") });
  await vite({ root: project, logLevel: "error", ssr: { noExternal: true }, build: { ssr: "server.mjs", outDir: join(folder, "vite"), emptyOutDir: true } });
  for (const name of ["esm.mjs", "cjs.cjs", "vite/server.js", "vite/server.mjs"].filter((name) => existsSync(join(folder, name)))) {
    const told = JSON.parse(node(join("served", name)));
    for (const words of told) assert.match(words, /is not next to the script that was bundled: copy it there from node_modules\/resourcesync\/dist/, name);
  }
  for (const file of ["core.wasm", "rules.en.json"]) copyFileSync(join(installed, "dist", file), join(folder, file));
  assert.deepEqual(JSON.parse(node("served/esm.mjs")), ["invalid", "invalid", "missing-at"]);
});

test("nothing is packed before it is built", () => {
  const copy = join(project, "unbuilt");
  mkdirSync(copy, { recursive: true });
  for (const name of ["package.json", "build.mjs"]) copyFileSync(join(own, name), join(copy, name));
  cpSync(join(root, "Cargo.toml"), join(project, "Cargo.toml"));
  write("unbuilt/node_modules/esbuild/index.js", "export const build = undefined;");
  write("unbuilt/node_modules/esbuild/package.json", '{"name": "esbuild", "type": "module", "exports": "./index.js"}');
  const { status, stderr } = spawnSync("npm", ["pack"], { cwd: copy, encoding: "utf8" });
  assert.notEqual(status, 0);
  assert.match(stderr, /not built: .*core\.wasm/);
});

test("a plain script imports it from where it lies", async () => {
  write("plain/index.html", PAGE);
  write("plain/main.js", SHOWS.replace('"resourcesync"', '"/resourcesync/dist/browser.js"'));
  cpSync(installed, join(project, "plain/resourcesync"), { recursive: true });
  assert.equal(await shown(join(project, "plain"), title), "invalid");
});

test("the harvester keeps a folder in step, and takes nothing that is not what was announced", async () => {
  const bytes = Buffer.from("the resource");
  const md5 = createHash("md5").update(bytes).digest("hex");
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}`;
    const change = (name, change, more = "") =>
      `<url><loc>${base}/${name}</loc><rs:md change="${change}" datetime="2024-01-02T00:00:00Z"${more}/></url>`;
    const list = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
      <rs:ln rel="up" href="${base}/capabilitylist.xml"/><rs:md capability="changelist" from="2024-01-01T00:00:00Z"/>
      ${change("a.txt", "created", ` hash="md5:${md5}" length="${bytes.length}"`)}${change("b.txt", "updated", ` hash="md5:${md5.replace(/^./, "x")}"`)}
      ${change("c.txt", "updated", ' length="1"')}${change("a/../../d.txt", "deleted")}</urlset>`;
    response.end(request.url === "/changelist.xml" ? list : bytes);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const host = `127.0.0.1:${server.address().port}`;
    cpSync(join(own, "examples/harvester"), join(project, "harvester"), { recursive: true });
    const { harvest } = await import(pathToFileURL(join(project, "harvester/harvest.mjs")));
    const folder = join(project, "copy");
    const { written, deleted, refused, kind } = await harvest(`http://${host}/changelist.xml`, folder);
    assert.deepEqual([kind, written, deleted, refused.length], ["change-list", 1, 1, 2]);
    assert.deepEqual(readFileSync(join(folder, encodeURIComponent(host), "a.txt/content")), bytes);
  } finally {
    server.close();
  }
});
