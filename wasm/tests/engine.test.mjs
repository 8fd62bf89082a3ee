/** The client of a worker: in node the worker is a thread. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { OptionError, toJson, validateSync, verifyPackageSync } from "resourcesync";
import { Engine, OptionError as Misuse, SourceError, WorkerError } from "resourcesync/worker";

import { cases } from "./cases.mjs";

const LIST = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="resourcelist"/><url><loc>http://example.com/1</loc></url></urlset>`;

/** Runs a function with an engine that is ended afterwards. */
async function withEngine(work, options) {
  const engine = new Engine(options);
  try {
    await work(engine);
  } finally {
    engine.terminate();
  }
}

test("a worker gives the bytes of every third case", () =>
  withEngine(async (engine) => {
    for (const [at, { isPackage, options, bytes, expected }] of [...cases()].entries()) {
      if (at % 3 !== 0) continue;
      const run = (source) => (isPackage ? engine.verifyPackage(source, options) : engine.validate(source, options));
      assert.equal(toJson(await run(new Blob([bytes()]))), expected());
    }
  }));

test("streams and random access are asked across the border", () =>
  withEngine(async (engine) => {
    const direct = validateSync(LIST, { name: "a.xml" });
    async function* parts() {
      for (const letter of LIST) yield letter;
    }
    assert.equal(toJson(await engine.validate(parts(), { name: "a.xml" })), toJson(direct));
    assert.equal(toJson(await engine.validate(new Blob([LIST]).stream(), { name: "a.xml" })), toJson(direct));
    const sound = [...cases()].find(({ isPackage, name }) => isPackage && name.includes("sound")) ?? [...cases()].find(({ isPackage }) => isPackage);
    const content = sound.bytes();
    const access = { size: content.length, read: async (offset, length) => content.subarray(offset, offset + length) };
    const wanted = toJson(verifyPackageSync(content, sound.options));
    assert.equal(toJson(await engine.verifyPackage(access, sound.options)), wanted);
  }));

test("a source that fails rejects, and the next task works", () =>
  withEngine(async (engine) => {
    async function* broken() {
      yield LIST.slice(0, 20);
      throw new Error("the line was cut");
    }
    await assert.rejects(engine.validate(broken()), (error) => error instanceof SourceError && /line was cut/.test(error.message));
    assert.equal((await engine.validate(LIST)).verdict, "invalid");
  }));

test("a signal ends a task under way, and those that wait go on", () =>
  withEngine(async (engine) => {
    const abort = new AbortController();
    async function* endless() {
      for (;;) yield new Uint8Array(1000).fill(32);
    }
    const running = engine.validate(endless(), { signal: abort.signal });
    const waiting = engine.validate(LIST);
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await assert.rejects(running, /enough/);
    assert.equal((await waiting).verdict, "invalid");
  }));

test("a task that waits can be taken back", () =>
  withEngine(async (engine) => {
    const abort = new AbortController();
    const first = engine.validate(LIST);
    const second = engine.validate(LIST, { signal: abort.signal });
    abort.abort();
    await assert.rejects(second, { name: "AbortError" });
    assert.equal((await first).verdict, "invalid");
  }));

test("a callback that aborts and throws ends its own task only", () =>
  withEngine(async (engine) => {
    const abort = new AbortController();
    const onProgress = () => {
      abort.abort(new Error("enough"));
      abort.signal.throwIfAborted();
    };
    const running = engine.validate(LIST, { signal: abort.signal, onProgress });
    const waiting = [engine.validate(LIST), engine.validate(LIST)];
    await assert.rejects(running, /enough/);
    assert.deepEqual((await Promise.all(waiting)).map(({ verdict }) => verdict), ["invalid", "invalid"]);
  }));

test("progress and findings are reported as they occur", () =>
  withEngine(async (engine) => {
    const told = [];
    const found = [];
    const report = await engine.validate(LIST, {
      name: "a.xml",
      onProgress: (progress) => told.push(progress),
      onDiagnostics: (diagnostics, input) => found.push([diagnostics.map(({ code }) => code), input]),
    });
    const last = told.at(-1);
    assert.deepEqual([last.name, last.input, last.inputs, last.bytes, last.entries], ["a.xml", 0, 1, LIST.length, 1]);
    assert.ok(found.flatMap(([codes]) => codes).every((code) => report.groups.some((group) => group.code === code)));
  }));

test("reports are written, findings said in Japanese, and bytes hashed", () =>
  withEngine(async (engine) => {
    const report = await engine.validate(LIST);
    assert.match(await engine.render(report, "html", { lang: "ja" }), /<html lang="ja"/);
    const [first] = await engine.messages(report.diagnostics, "ja");
    assert.match(first.message, /[ぁ-ん]/);
    const { length, hashes } = await engine.hash(new Blob(["abc"]), ["md5"]);
    assert.deepEqual({ length, hashes }, { length: 3, hashes: { md5: "900150983cd24fb0d6963f7d28e17f72" } });
  }));

test("a document is built, and what is no error is reported", () =>
  withEngine(async (engine) => {
    const head = { at: "2024-01-01T00:00:00Z", links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }] };
    const found = [];
    const text = await engine.build("resource-list", head, [{ uri: "http://example.com/1", type: "text/made-up" }], { onAccepted: ({ counts }) => found.push(counts) });
    assert.deepEqual(found, [{ "AT-13": 1 }]);
    assert.equal((await engine.validate(text)).summary.infos, 1);
    await assert.rejects(engine.build("resource-list", head, [{ uri: "http://example.com/1", type: "text/made-up" }], { failOn: "info" }), /AT-13/);
  }));

test("several inputs give one report", () =>
  withEngine(async (engine) => {
    const report = await engine.validateAll([
      { source: LIST, name: "a.xml" },
      { source: new Blob([LIST]), name: "b.xml" },
    ]);
    assert.deepEqual(report.inputs.map(({ name }) => name), ["a.xml", "b.xml"]);
  }));

test("misuse is said in place", () =>
  withEngine(async (engine) => {
    await assert.rejects(engine.validate(LIST, { selekt: [] }), Misuse);
    await assert.rejects(engine.validate(LIST, { select: ["NO-99"] }), Misuse);
    await assert.rejects(engine.validate(42), Misuse);
    for (const wrong of [{ select: "RL" }, { maxPerRule: 1.5 }, { fixity: 0 }, { limits: [] }, { expect: "nothing" }, { limits: { depht: 1 } }]) {
      assert.throws(() => validateSync(LIST, wrong), OptionError, JSON.stringify(wrong));
    }
  }));

test("a worker that cannot be loaded rejects", () =>
  withEngine((engine) => assert.rejects(engine.validate(LIST), WorkerError), {
    worker: () => {
      throw new Error("no worker here");
    },
  }));

test("an engine that was ended rejects what waited and what comes", async () => {
  const engine = new Engine();
  const waiting = engine.validate(LIST);
  engine.terminate();
  await assert.rejects(waiting, WorkerError);
  await assert.rejects(engine.validate(LIST), WorkerError);
});
