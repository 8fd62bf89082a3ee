/** A signal ends every function at once, with its reason, also while a source stalls. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";

import { crawl, entries, hash, openPackage, read, validate, validateAll, verifyPackage } from "resourcesync";

const HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const entry = (number) => `<url><loc>http://example.com/${number}</loc></url>`;
const never = new Promise(() => {});
const bytes = (text) => new TextEncoder().encode(text);

/** One entry, and the beginning of the next. */
const START = `${HEAD}<!-- ${"x".repeat(2000)} -->${entry(1)}<url><loc>`;

/** Sources that give one entry and then nothing, and what says that they were closed. */
const STALLED = {
  "an async generator": () => ({ source: (async function* () { yield START; await never; })() }),
  "an iterator": () => {
    const parts = [START];
    const next = () => (parts.length ? Promise.resolve({ done: false, value: parts.pop() }) : never);
    return { source: { [Symbol.asyncIterator]: () => ({ next }) } };
  },
  "a stream of the web": () => {
    let told;
    const closed = new Promise((given) => (told = given));
    const source = new ReadableStream({ start: (controller) => controller.enqueue(bytes(START)), cancel: (reason) => told(reason) });
    return { source, closed };
  },
  "a stream of node": () => {
    const source = new Readable({ read() {} });
    source.push(START);
    return { source, closed: new Promise((given) => source.once("close", () => given("enough"))) };
  },
};

/** Lets the source stall, then aborts. */
async function stops(call, closed) {
  const controller = new AbortController();
  const result = call(controller.signal);
  result.catch(() => undefined);
  await new Promise((go) => setTimeout(go, 5));
  controller.abort("enough");
  await assert.rejects(result, (reason) => reason === "enough");
  assert.equal((await closed) ?? "enough", "enough");
}

for (const [what, stalled] of Object.entries(STALLED)) {
  for (const [name, call] of Object.entries({
    validate: (source, signal) => validate(source, { signal }),
    validateAll: (source, signal) => validateAll([{ source, name: "a.xml" }], { signal }),
    read: (source, signal) => read(source, { signal }),
    hash: (source, signal) => hash(source, ["md5"], { signal }),
  })) {
    test(`${name} stops while ${what} stalls`, async () => {
      const { source, closed } = stalled();
      await stops((signal) => call(source, signal), closed);
    });
  }

  test(`entries stops while ${what} stalls, after the entries before`, async () => {
    const { source, closed } = stalled();
    const seen = [];
    await stops(async (signal) => {
      for await (const { uri } of entries(source, { signal })) seen.push(uri);
    }, closed);
    assert.deepEqual(seen, ["http://example.com/1"]);
  });
}

test("the head of a source that stalls is rejected with the reason", async () => {
  const source = (async function* () { await never; })();
  await stops((signal) => entries(source, { signal }).head);
});

test("packages stop while their source stalls", async () => {
  const source = { size: 1000, read: () => never };
  for (const call of [verifyPackage, openPackage]) await stops((signal) => call(source, { signal }));
  await stops((signal) => validate(source, { signal }));
});

test("inputs that stall stop as well", async () => {
  const inputs = (async function* () { await never; })();
  await stops((signal) => validateAll(inputs, { signal }));
});

test("a crawl stops while a request or a body stalls, though its client ignores the signal", async () => {
  await stops((signal) => crawl("http://example.com/", { signal, fetch: () => never }));
  const body = () => (async function* () { await never; })();
  await stops((signal) => crawl("http://example.com/", { signal, fetch: () => ({ body: body() }) }));
});

test("no entry arrives after the signal, and the loop ends with its reason", async () => {
  const list = HEAD + Array.from({ length: 1000 }, (_, number) => entry(number)).join("") + "</urlset>";
  for (const at of [1, 10, 1000]) {
    const controller = new AbortController();
    let seen = 0;
    await assert.rejects(
      async () => {
        for await (const { uri } of entries(list, { signal: controller.signal })) {
          assert.ok(uri);
          if (++seen === at) controller.abort("enough");
        }
      },
      (reason) => reason === "enough",
    );
    assert.equal(seen, at);
  }
});

test("a signal that has aborted ends every function before it reads", async () => {
  const signal = AbortSignal.abort("before");
  const source = { [Symbol.asyncIterator]() { throw new Error("read"); } };
  const given = [() => validate(source, { signal }), () => read(source, { signal }), () => hash(source, ["md5"], { signal }), () => entries(source, { signal }).next(), () => crawl("http://example.com/", { signal, fetch: () => assert.fail() })];
  for (const call of given) await assert.rejects(async () => call(), (reason) => reason === "before");
});

test("a listener is not kept after the end", async () => {
  let listening = 0;
  const { signal } = new AbortController();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...given) => { listening++; add(...given); };
  signal.removeEventListener = (...given) => { listening--; remove(...given); };
  const stream = new Blob([`${HEAD}${entry(1)}</urlset>`]).stream();
  await validate(stream, { signal });
  await read(Readable.from([`${HEAD}</urlset>`]), { signal });
  for await (const { uri } of entries(`${HEAD}${entry(1)}</urlset>`, { signal })) assert.ok(uri);
  assert.equal(listening, 0);
});
