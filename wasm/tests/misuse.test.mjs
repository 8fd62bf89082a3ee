/** Misuse: an immediate error of this package with its code, without further effects. */

import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { Readable } from "node:stream";
import { test } from "node:test";

import * as rs from "resourcesync";

const LIST = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"></urlset>';
const AT = "2024-01-01T00:00:00Z";
const BASE = "http://example.com/";
const HEAD = { at: AT, links: [{ rel: "up", href: `${BASE}capabilitylist.xml` }] };
const ENTRY = { uri: `${BASE}1`, path: "/1", type: "text/plain" };

async function all(steps) {
  const parts = [];
  for await (const part of steps) parts.push(part);
  return parts;
}

function publication(work, options = {}) {
  const own = new rs.Publication(BASE, AT, { describedby: `${BASE}about.html`, ...options });
  own.set("", `${BASE}about.html`);
  return work(own);
}

function finished(work) {
  const builder = new rs.Builder("resource-list", HEAD);
  builder.finish();
  return work(builder);
}

const given = new Uint8Array(8);
structuredClone(given.buffer, { transfer: [given.buffer] });
const locked = new Blob([LIST]).stream();
locked.getReader();
const erring = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("cut")) });
const answering = (answer) => () => rs.crawl(BASE, { fetch: () => answer });
const crawling = (options) => () => rs.crawl(BASE, { fetch: () => undefined, ...options });

const options = [
  { name: 5 }, { uri: 5 }, { via: "x" }, { via: 5 }, { size: "x" }, { size: -1 }, { baseline: 5 }, { signal: 5 }, { onProgress: 5 }, { onDiagnostics: 5 }, { limits: { depth: -1 } },
  { limits: { depth: 1.5 } }, { limits: { depth: "3" } }, { limits: { depht: 3 } }, { severity: { "RL-03": "x" } }, { expect: null }, { select: null }, { selekt: [] }, null, 5, "x", [],
];
const sources = [undefined, null, 5, true, Promise.resolve(LIST), new URL(BASE), new Response(LIST), new Request(BASE), {}, () => LIST, Symbol("x"), [1, 2], [[1]], { size: -1, read() {} }, { size: 1.5, read() {} }, { size: Number.NaN, read() {} }];
const unreadable = [erring(), locked, { fd: 9999 }, { size: 10, read: () => new Uint8Array(3) }, { size: 10, read() { throw new Error("disk"); } }, { size: 10, read: () => Promise.reject(new Error("disk")) }, given, "\ud800"];

const calls = {
  OPTION: [
    ...options.flatMap((options) => [() => rs.validate(LIST, options), () => rs.validateSync(LIST, options), () => rs.verifyPackage(new Uint8Array(4), options)]),
    ...sources.flatMap((source) => [() => rs.validate(source), () => rs.verifyPackage(source), () => rs.validateSync(source), () => rs.read(source), () => rs.hash(source), () => all(rs.entries(source)), () => rs.openPackage(source)]),
    () => rs.validateSync({ size: 1, read: () => Promise.reject(new Error("disk")) }),
    () => rs.render(rs.validateSync(LIST), "xml"), () => rs.render(rs.validateSync(LIST), 5), () => rs.render(rs.validateSync(LIST), "text", { lang: "de" }), () => rs.render(rs.validateSync(LIST), "text", { width: "x" }),
    () => rs.render(rs.validateSync(LIST), "text", null), () => rs.message(null, "en"), () => rs.message({ code: 5, args: {} }, "en"), () => rs.message({ code: "RL-03", args: {} }, "de"),
    () => rs.hash("x", ["crc"]), () => rs.hash("x", "md5"), () => rs.hash("x", [5]), () => rs.explain(5), () => rs.explain("RL-03", "de"), () => rs.rules("de"),
    () => rs.build("resource-list", null), () => rs.build(undefined, HEAD), () => rs.build("package", HEAD), () => rs.build("resource-list", HEAD, null), () => rs.build("resource-list", HEAD, 5), () => rs.build("resource-list", HEAD, "x"),
    () => rs.build("resource-list", HEAD, (async function* () {})()), () => rs.build("resource-list", HEAD, [null]), () => rs.build("resource-list", HEAD, [], null), () => rs.build("resource-list", HEAD, [], { ignor: [] }),
    ...[2 ** 53, 2n ** 64n, -1, 1.5, Number.NaN, "5"].map((length) => () => rs.build("resource-list", HEAD, [{ uri: `${BASE}1`, length }])),
    () => rs.build("resource-list", HEAD, [{ uri: `${BASE}1`, type: new Date() }]), () => rs.build("resource-list", HEAD, [{ uri: `${BASE}1`, hashes: null }]), () => rs.write(null), () => rs.write({}),
    () => finished((builder) => builder.finish()), () => finished((builder) => builder.push(ENTRY)), () => finished((builder) => builder.take()), () => finished((builder) => builder.entries),
    () => new rs.Publication(), () => new rs.Publication(BASE), () => new rs.Publication("x", AT), () => new rs.Publication(BASE, "x"), () => new rs.Publication(BASE, AT, { maxDocumentEntries: 1.5 }), () => new rs.Publication(BASE, AT, { store: 5 }),
    () => publication((own) => own.set(5)), () => publication((own) => own.set("../x", BASE)), () => publication((own) => own.beginChangeLists()), () => publication((own) => own.beginChangeLists({})), () => publication((own) => own.beginChangeLists(AT, 5)),
    () => publication((own) => own.beginResourceList(-1)), () => publication((own) => own.write(new Uint8Array(3))), () => publication((own) => own.write("x")), () => publication((own) => own.announce({})),
    () => publication((own) => own.announce({ capability: "resourcelist", uri: "x" })), () => publication((own) => own.resourceList([])), () => publication((own) => own.publish()), () => publication((own) => own.resourceList(5), { store: {} }),
    () => publication((own) => [own.finish(), own.take()]), () => publication((own) => [own.finish(), own.finish()]),
    () => [...rs.diff(null, [], AT)], () => [...rs.diff([], 5, AT)], () => [...rs.diff([ENTRY], [], "x")], () => [...rs.diff([ENTRY], [], 5)],
    () => all(rs.createPackage(5, HEAD, [])), () => all(rs.createPackage("resource-dump-manifest", HEAD, null)), () => all(rs.createPackage("resource-dump-manifest", HEAD, [5])),
    () => all(rs.createPackage("resource-dump-manifest", HEAD, [{ entry: ENTRY, bytes: 5 }])),
    () => rs.crawl(), () => rs.crawl(5), () => rs.crawl([]), () => rs.crawl([5]), crawling({ fetch: 5 }), crawling({ concurrency: "x" }), crawling({ documents: "x" }), crawling({ resources: -1 }), crawling({ resources: "sample" }), crawling({ packages: "x" }),
    answering("text"), answering(5), answering({ body: 5 }), answering({ status: "x" }), answering({ notFound: 5 }),
    () => rs.validateAll(null), () => rs.validateAll(5), () => rs.validateAll([5]), () => rs.validateAll([null]), () => rs.validateAll([{ source: LIST }]), () => rs.validateAll([{ name: "a" }]), () => rs.validateAll([{ source: LIST, name: "a", urii: "x" }]),
    async () => { const own = await rs.openPackage(new Uint8Array(4)); own[Symbol.dispose](); own.toList(); },
    async () => { const own = rs.entries(LIST); await own.return(); await own.head; },
  ],
  SOURCE: [
    ...unreadable.flatMap((source) => [() => rs.validate(source), () => rs.hash(source), () => rs.read(source)]),
    () => rs.verifyPackageSync({ size: 100, read: () => Promise.reject(new Error("disk")) }), () => rs.verifyPackageSync({ fd: 9999 }), () => rs.verifyPackageSync(given), () => rs.validateSync(given),
    () => all(rs.createPackage("resource-dump-manifest", HEAD, [{ entry: ENTRY, bytes: erring() }])),
  ],
  FORMAT: [() => rs.parseReport("{}"), () => rs.parseReport("null"), () => rs.parseReport(undefined), () => rs.render({}, "text"), () => rs.render(null, "text"), () => rs.validate(LIST, { baseline: {} }), () => rs.validate(LIST, { baseline: "x" }), crawling({ earlier: "x" })],
  NOT_FOUND: [() => rs.explain("nothing-like-this")],
  READ: [() => rs.read("<urlset>"), () => all(rs.entries("<urlset>")), () => rs.entries("<urlset").head],
  REFUSED: [() => all(rs.createPackage("resource-list", HEAD, [])), () => rs.build("resource-list", HEAD, [{ uri: "relative" }]), () => all(rs.createPackage("resource-dump-manifest", HEAD, [{ entry: ENTRY, bytes: "x" }, { entry: ENTRY, bytes: "x" }]))],
};

for (const [code, list] of Object.entries(calls)) {
  test(`${code}: all that cannot be meant is said so`, async () => {
    const wrong = [];
    // A trap would also end pending operations.
    const other = rs.validate(slowly());
    for (const call of list) {
      const error = await Promise.resolve().then(call).then(() => undefined, (error) => error);
      if (!(error instanceof rs.ResourceSyncError) || error.code !== code || error.name === "Error") wrong.push(`${call}: ${error?.code} ${error?.message ?? "no error"}`);
    }
    assert.deepEqual(wrong, []);
    assert.equal((await other).verdict, "invalid");
  });
}

async function* slowly() {
  for (const part of LIST.match(/.{1,8}/g)) {
    await new Promise((turn) => setTimeout(turn, 5));
    yield part;
  }
}

test("errors thrown by callbacks are passed on unchanged", async () => {
  const own = new Error("own");
  const throws = () => { throw own; };
  const is = (error) => error === own;
  await assert.rejects(rs.validate(LIST, { onProgress: throws }), is);
  assert.throws(() => [...rs.diff((function* () { throws(); })(), [], AT)], is);
  // Nothing else ends with it.
  const open = new rs.Builder("resource-list", HEAD);
  assert.throws(() => [...rs.diff([], (function* () { yield { lastmod: new Date(Number.NaN).toISOString() }; })(), AT)], { name: "RangeError", message: "Invalid time value" });
  assert.throws(() => rs.build("resource-list", HEAD, [{ uri: `${BASE}1`, get lastmod() { return new Date(Number.NaN).toISOString(); } }]), RangeError);
  open.push({ uri: `${BASE}1` });
  assert.throws(() => rs.build("resource-list", HEAD, (function* () { throws(); })()), is);
  await assert.rejects(all(rs.createPackage("resource-dump-manifest", HEAD, (function* () { throws(); })())), is);
  await assert.rejects(publication((own) => own.resourceList([{ uri: `${BASE}1` }], 1).then(() => own.publish()), { store: { begin: throws, write() {}, end() {} } }), is);
  await assert.rejects(rs.crawl(BASE, { fetch: () => undefined, onProgress: throws }), is);
  const cause = await rs.validate((async function* () { throws(); })()).catch((error) => error.cause);
  assert.equal(cause, own);
});

test("a value of the wrong type is named with its field, its type and what is expected", () => {
  const entry = (fields) => () => rs.build("resource-list", HEAD, [{ uri: `${BASE}1`, ...fields }]);
  assert.throws(entry({ length: "5" }), { code: "OPTION", message: "the entry: `length` has to be a whole number, above 2^53 a bigint; it is the text `5`" });
  assert.throws(entry({ length: 1.5 }), /the entry: `length` .*; it is the number 1.5/);
  assert.throws(entry({ lastmod: 1714521600000 }), /the entry: `lastmod` has to be text; it is the number 1714521600000/);
  assert.throws(entry({ type: new Date(0) }), /the entry: `type` has to be text; it is an object \(Date\)/);
  assert.throws(entry({ uri: null }), /the entry: `uri` has to be text; it is null/);
  assert.throws(entry({ hashes: "md5:0" }), /the entry: `hashes` has to be an object of digests by algorithm; it is the text `md5:0`/);
  assert.throws(entry({ links: [{ rel: "duplicate", href: BASE, pri: "1" }] }), /the link: `pri` has to be a whole number/);
  assert.throws(entry({ links: BASE }), /the entry: `links` has to be a list/);
  assert.throws(() => rs.build("resource-list", { at: 5 }), /the head: `at` has to be text; it is the number 5/);
  assert.throws(entry({ lastmod: new Date(Number.NaN) }), /`lastmod` .*a valid Date/);
  assert.throws(() => rs.validateSync(LIST, { uri: new URL(BASE) }), /uri has to be text, not a URL: give its `href`/);
  assert.throws(() => rs.validateSync(LIST, { name: new Date() }), /name has to be text, not a Date/);
});

test("a time may be a Date, and a URI a URL", async () => {
  const moment = new Date(AT);
  const given = { uri: new URL(`${BASE}1`), lastmod: moment, links: [{ rel: "duplicate", href: new URL(`${BASE}2`), modified: moment }] };
  const text = { uri: `${BASE}1`, lastmod: moment.toISOString(), links: [{ rel: "duplicate", href: `${BASE}2`, modified: moment.toISOString() }] };
  const head = { at: moment, links: [{ rel: "up", href: new URL(`${BASE}capabilitylist.xml`) }] };
  assert.equal(rs.build("resource-list", head, [given]), rs.build("resource-list", { ...HEAD, at: moment.toISOString() }, [text]));
  assert.ok(given.uri instanceof URL && given.lastmod === moment);
  // As classes of database libraries have it.
  class Record {
    #text = text;
    lastmod = moment;
    get uri() { return this.#text.uri; }
    get length() { return 5; }
    get href() { return "not of an entry"; }
    get links() { return text.links.map((link) => Object.create(link)); }
  }
  assert.equal(rs.build("resource-list", head, [new Record()]), rs.build("resource-list", HEAD, [{ ...text, length: 5 }]).replace(AT, moment.toISOString()));
  const changes = [...rs.diff([], [given], moment)];
  assert.deepEqual(changes.map(({ uri, datetime }) => [uri, new Date(datetime).getTime()]), [[`${BASE}1`, moment.getTime()]]);
  const source = new rs.Publication(new URL(BASE), moment, { describedby: `${BASE}about.html` });
  source.set("", new URL(`${BASE}about.html`));
  source.announce({ capability: "change-notification", uri: new URL(`${BASE}channel`), hub: new URL("https://hub.example/") });
  source.beginChangeLists(moment, new Date("2024-01-03T00:00:00Z"));
  source.push({ uri: new URL(`${BASE}1`), change: "updated", datetime: new Date("2024-01-02T00:00:00Z") });
  assert.ok(source.finish().published.written.some((name) => name.startsWith("changelist")));
  const asked = [];
  await rs.crawl(new URL(BASE), { fetch: (uri) => void asked.push(uri) });
  assert.ok(asked[0].startsWith(BASE));
});

test("a path or a URL is not validated as a document", async () => {
  for (const place of ["resourcelist.xml", "./list", "../public/resourcelist.xml", "/srv/public/changelist.xml.gz", "C:\\data\\list.xml", "part1.zip", "~/list"]) {
    for (const call of [() => rs.validate(place), () => rs.validateSync(place), () => rs.read(place), () => rs.readSync(place), () => all(rs.entries(place)), () => rs.repair(place), () => rs.validateAll([{ source: place, name: "a" }])]) {
      await assert.rejects(Promise.resolve().then(call), (error) => error.code === "OPTION" && /is not a document.*paths are not opened here/.test(error.message));
    }
  }
  await assert.rejects(rs.validate("https://example.com/resourcelist.xml"), /is not a document.*give the `body` of what `fetch` answers/);
  for (const text of ["", "no tag in here", "{}", "<a href='x.xml'/>", "two lines\nx.xml"]) assert.equal((await rs.validate(text)).verdict, "invalid");
});

test("a source that was read before is not an empty document", async () => {
  const again = (error) => error.code === "SOURCE" && /the (source was empty|stream is locked|stream has ended): was it read before\?/.test(error.message);
  const response = new Response(LIST);
  const { body } = response;
  await response.text();
  const generator = slowly();
  for await (const _ of generator);
  const iterator = [LIST][Symbol.iterator]();
  [...iterator];
  const stream = () => new ReadableStream({ start: (controller) => controller.close() });
  for (const source of [body, generator, iterator, stream()]) await assert.rejects(rs.validate(source), again);
  await assert.rejects(rs.read(stream()), again);
  await assert.rejects(all(rs.entries(stream())), again);
  const ended = Readable.from([LIST]);
  for await (const _ of ended);
  const packed = (bytes) => all(rs.createPackage("resource-dump-manifest", HEAD, [{ entry: { ...ENTRY, path: "/1.txt" }, bytes }]));
  for (const call of [rs.validate, rs.read, rs.hash, packed]) await assert.rejects(call(ended), again);
  // A file may be empty.
  await packed(Readable.from([]));
  assert.equal((await rs.hash(stream())).length, 0);
  const { diagnostics, verdict } = await rs.validateAll([{ source: stream(), name: "list.xml" }]);
  assert.deepEqual([verdict, diagnostics.map(({ code }) => code)], ["undetermined", ["INP-01"]]);
  assert.match(diagnostics[0].message, /was it read before/);
  // What is known to be empty is an empty document.
  for (const source of ["", new Uint8Array(0), new Blob([]), []]) assert.equal((await rs.validate(source)).verdict, "invalid");
});

test("a package is verified also where it comes as a stream, up to the limit of packages", async () => {
  const bitstreams = [{ entry: { ...ENTRY, path: "/1.txt" }, bytes: "one" }];
  const bytes = new Uint8Array(await new Blob(await all(rs.createPackage("resource-dump-manifest", HEAD, bitstreams))).arrayBuffer());
  const stream = () => new Blob([bytes]).stream();
  async function* single() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  for (const source of [stream(), single(), [bytes.subarray(0, 3), bytes.subarray(3)]]) assert.equal((await rs.validate(source)).inputs[0].kind, "package");
  const report = await rs.validateAll([{ source: stream(), name: "a" }, { source: LIST, name: "b" }]);
  assert.deepEqual(report.inputs.map(({ name, kind }) => [name, kind]), [["a", "package"], ["a!/manifest.xml", "resource-dump-manifest"], ["b", "sitemap"]]);
  await assert.rejects(rs.validate(stream(), { limits: { packageBytes: 100 } }), /larger than package_bytes \(100\)/);
  // What comes before the end of the stream is not lost, and nobody has to wait for it.
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield "<urlset><";
    } finally {
      isClosed = true;
    }
  }
  assert.equal((await rs.validate(endless())).verdict, "invalid");
  assert.ok(isClosed);
  const fd = openSync(devNull);
  await assert.rejects(rs.validate({ fd }), /no regular file/);
  closeSync(fd);
});

test("a mistake that is often made is named", async () => {
  await assert.rejects(rs.validate(new Response(LIST)), /give its `body`/);
  await assert.rejects(rs.validate(new URL(BASE)), /not fetched/);
  await assert.rejects(rs.validate(Promise.resolve(LIST)), /waited for/);
});
