/** The package in Chromium: the corpus in a worker, the entry point without a worker, workers from blobs, cancelling. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { cases, root } from "./cases.mjs";
import { begin, folders, serve } from "./chromium.mjs";

const LIST = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="resourcelist"/><url><loc>http://example.com/1</loc></url></urlset>`;
const PLAIN = '<!doctype html><title>a page</title><script type="module" src="/dist/browser.js"></script>';

let browser, server, page;
before(async () => {
  browser = await begin();
  server = await serve(folders, { "/": PLAIN });
  page = await browser.newPage();
  await page.goto(server.url);
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("the corpus gives the expected bytes in a worker", async () => {
  const all = [...cases()].map(({ name, input, isPackage, options }) => ({
    name,
    isPackage,
    options,
    input: `/corpus/${name}/${input}`,
    expected: `/corpus/${name}/report.json`,
  }));
  const { right, wrong } = await page.evaluate(async (all) => {
    const { Engine, toJson } = await import("/dist/worker.js");
    const engine = new Engine();
    const have = async (path) => (await fetch(path.split("/").map(encodeURIComponent).join("/"))).blob();
    const wrong = [];
    for (const { name, isPackage, options, input, expected } of all) {
      const [source, text] = await Promise.all([have(input), have(expected).then((blob) => blob.text())]);
      const report = await (isPackage ? engine.verifyPackage(source, options) : engine.validate(source, options));
      if (toJson(report) !== text) wrong.push(name);
    }
    engine.terminate();
    return { right: all.length - wrong.length, wrong };
  }, all);
  assert.deepEqual(wrong, []);
  assert.ok(right > 1500);
});

test("a signal ends a call at once while its source stalls", async () => {
  const ended = await page.evaluate(async () => {
    const { crawl, entries, validate } = await import("/dist/browser.js");
    const stalled = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([60])) });
    const calls = [
      (signal) => validate(stalled(), { signal }),
      (signal) => entries(stalled(), { signal }).next(),
      (signal) => crawl("http://example.com/", { signal, fetch: () => new Promise(() => {}) }),
    ];
    const reasons = [];
    for (const call of calls) {
      const abort = new AbortController();
      const running = call(abort.signal);
      setTimeout(() => abort.abort("enough"), 5);
      reasons.push(await running.catch(String));
    }
    return reasons;
  });
  assert.deepEqual(ended, ["enough", "enough", "enough"]);
});

test("the entry loads its module by itself, on the page's own thread", async () => {
  const own = await browser.newPage();
  await own.goto(server.url);
  const { verdict, html, what, notReady } = await own.evaluate(async (list) => {
    const { explain, init, render, validate, validateSync } = await import("/dist/browser.js");
    let notReady;
    try {
      validateSync(list);
    } catch (error) {
      notReady = error.code;
    }
    const [report] = await Promise.all([validate(new Blob([list])), validate(new Blob([list]).stream())]);
    const [{ what }] = await explain("missing-at", "ja");
    await init();
    return { verdict: report.verdict, html: render(report, "html"), what, notReady };
  }, LIST);
  assert.equal(notReady, "NOT_READY");
  assert.equal(verdict, "invalid");
  assert.match(html, /RL-03/);
  assert.match(what, /[ぁ-ん]/);
  await own.close();
});

test("a page that validates documents loads the small module alone; packages, earlier reports and renderers take the whole one", async () => {
  const own = await browser.newPage();
  const asked = [];
  await own.goto(server.url);
  own.on("request", (request) => asked.push(new URL(request.url()).pathname.split("/").at(-1)));
  const modules = () => asked.filter((name) => name.endsWith(".wasm")).join();
  const first = await own.evaluate(async (list) => {
    const { render, validate, validateSync } = await import("/dist/browser.js");
    const report = await validate(new Blob([list]));
    try {
      render(report, "text");
    } catch (error) {
      return [report.verdict, validateSync(list).verdict, error.code];
    }
  }, LIST);
  assert.deepEqual(first, ["invalid", "invalid", "NOT_READY"]);
  assert.equal(modules(), "validate.wasm");

  const { same, rest, isPackage } = await own.evaluate(async (list) => {
    const { toJson, validate, verifyPackage } = await import("/dist/browser.js");
    // Some of it runs in the small module, some in the whole one.
    const [one, since] = await Promise.all([validate(list), validate(list, { baseline: await validate(list) })]);
    const empty = new Uint8Array(22);
    empty.set([0x50, 0x4b, 5, 6]);
    const [found, verified] = [await validate(empty, { name: "empty" }), await verifyPackage(empty, { name: "empty" })];
    return { same: toJson(one) === toJson(await validate(list)), rest: since.diagnostics.length, isPackage: toJson(found) === toJson(verified) };
  }, LIST);
  assert.deepEqual({ same, rest, isPackage }, { same: true, rest: 0, isPackage: true });
  assert.equal(modules(), "validate.wasm,core.wasm");
  await own.close();
});

test("a package without a name is one for the small module too", async () => {
  const own = await browser.newPage();
  await own.goto(server.url);
  const same = await own.evaluate(async () => {
    const { toJson, validate, verifyPackage } = await import("/dist/browser.js");
    const empty = new Uint8Array(22);
    empty.set([0x50, 0x4b, 5, 6]);
    return toJson(await validate(empty, { name: "empty" })) === toJson(await verifyPackage(empty, { name: "empty" }));
  });
  assert.ok(same);
  await own.close();
});

test("the entry that carries the module fetches nothing", async () => {
  const own = await browser.newPage();
  const asked = [];
  await own.goto(server.url);
  own.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const verdict = await own.evaluate(async (list) => (await (await import("/dist/inline.js")).validate(list)).verdict, LIST);
  assert.equal(verdict, "invalid");
  assert.ok(!asked.some((path) => path.endsWith(".wasm")), asked.join(" "));
  await own.close();
});

test("a worker made from a blob, as in docs/javascript.md, does the same", async () => {
  const [, example] = /```js\n(\/\/ in a browser\n.*?)```/s.exec(readFileSync(join(root, "docs/javascript.md"), "utf8"));
  // The module of the application is in the folder of the package.
  const script = example.replaceAll("import.meta.url", 'new URL("/dist/", location.href)');
  const verdict = await page.evaluate(`(async () => {
    const { Engine } = await import("/dist/worker.js");
    ${script}
    const { verdict } = await engine.validate(${JSON.stringify(LIST)});
    engine.terminate();
    return verdict;
  })()`);
  assert.equal(verdict, "invalid");
});

test("a task in the middle of its work is ended at once, and the next one is done by a fresh worker", async () => {
  const { reason, verdict, lively } = await page.evaluate(async (list) => {
    const { Engine } = await import("/dist/worker.js");
    const engine = new Engine();
    await engine.ready();
    // Minutes of work: two million copies of one entry.
    const [head, tail] = list.split(/(?=<url>)/);
    const entry = tail.replace("</urlset>", "").repeat(2000);
    const large = new Blob([head, ...Array.from({ length: 1000 }, () => entry)]);
    const abort = new AbortController();
    let lively = 0;
    const running = engine.validate(large, { signal: abort.signal, onProgress: () => ++lively === 2 && abort.abort("enough"), limits: { entries: 2 ** 40 } });
    const next = engine.validate(list);
    const reason = await running.catch((reason) => reason);
    const { verdict } = await next;
    engine.terminate();
    return { reason, verdict, lively };
  }, LIST);
  assert.deepEqual({ reason, verdict }, { reason: "enough", verdict: "invalid" });
  assert.ok(lively >= 2);
});

test("a worker whose script is not there rejects", async () => {
  const code = await page.evaluate(async (list) => {
    const { Engine } = await import("/dist/worker.js");
    const engine = new Engine({ worker: () => new Worker("/dist/no-such-script.js", { type: "module" }) });
    return engine.validate(list).catch((error) => error.code);
  }, LIST);
  assert.equal(code, "WORKER");
});

test("a module that is not there rejects", async () => {
  const codes = await page.evaluate(async (list) => {
    const { Engine } = await import("/dist/worker.js");
    const engine = new Engine({ wasm: new URL("/dist/no-such.wasm", location.href) });
    const first = await engine.validate(list).catch((error) => error.code);
    const second = await engine.validate(list).catch((error) => error.code);
    return [first, second];
  }, LIST);
  assert.deepEqual(codes, ["SOURCE", "SOURCE"]);
});
