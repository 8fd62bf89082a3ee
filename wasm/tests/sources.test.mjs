/** Packages and whole Sources: opening, writing, publishing, crawling. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import {
  createPackage,
  diff,
  openPackage,
  OptionError,
  Publication,
  read,
  RefusedError,
  SourceError,
  validateAll,
  verifyPackage,
  crawl,
} from "resourcesync";

import { cases } from "./cases.mjs";

const AT = "2024-05-01T00:00:00Z";
const BASE = "http://example.com/";
const CONTENT = new TextEncoder().encode("one two three ".repeat(10_000));
const md5 = createHash("md5").update(CONTENT).digest("hex");
const resource = (number, content = CONTENT) => ({
  entry: { uri: `${BASE}${number}`, lastmod: AT, length: content.length, hashes: { md5 }, path: `/resources/${number}.txt`, type: "text/plain" },
  bytes: content,
});

/** A package as one array. */
async function packed(bitstreams) {
  const head = { at: AT, links: [{ rel: "up", href: `${BASE}capabilitylist.xml` }] };
  const parts = [];
  const pieces = createPackage("resource-dump-manifest", head, bitstreams);
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), packed: value };
    parts.push(value);
  }
}

test("what is packed verifies without a finding, and is read again", async () => {
  const { bytes, packed: about } = await packed([resource(1), resource(2)]);
  assert.equal(about.length, bytes.length);
  assert.equal(about.sha256, createHash("sha256").update(bytes).digest("hex"));
  assert.deepEqual((await verifyPackage(bytes)).groups, []);

  const opened = await openPackage(bytes, { name: "part1.zip" });
  assert.equal(opened.kind, "resource-dump-manifest");
  assert.equal(opened.report.verdict, "valid");
  const states = opened.members.map(({ name, state }) => `${name} ${state}`);
  assert.ok(states.includes("resources/1.txt verified"), states.join(", "));
  assert.deepEqual(await opened.read("resources/1.txt"), CONTENT);
  assert.deepEqual(await opened.read(opened.find(`${BASE}2`)), CONTENT);
  // Concurrently, with separate buffers.
  const other = await openPackage(new Blob([bytes]));
  for (const all of await Promise.all(["resources/1.txt", "resources/2.txt", "resources/1.txt"].map((name) => other.read(name)))) assert.deepEqual(all, CONTENT);
  assert.match(opened.toList(), /"resources\/1.txt"/);
  await assert.rejects(opened.read("no-such-member"), SourceError);
  opened[Symbol.dispose]();
});

test("bytes that are not those the entry describes are refused", async () => {
  await assert.rejects(packed([resource(1, CONTENT.slice(1)), { ...resource(2), bytes: "other" }]), RefusedError);
});

test("a member that is not what the manifest says is given out with an error at its end", async () => {
  const { bytes } = await packed([resource(1)]);
  const sound = await openPackage(bytes, { fixity: false });
  assert.equal(sound.find("resources/1.txt").state, "unchecked");
  assert.deepEqual(await sound.read("resources/1.txt"), CONTENT);
  // The stored or packed data of the member begins after its local header.
  const damaged = bytes.slice();
  damaged[60] ^= 1;
  const opened = await openPackage(damaged, { fixity: false });
  await assert.rejects(opened.read("resources/1.txt"), (error) => error instanceof RefusedError && /^(ZIP|PKG)-/.test(error.diagnostic.code));
});

/** The files of a publication, by path. */
function publish(resources, changes) {
  const files = new Map();
  let path;
  const follow = (steps) => {
    for (const step of steps) {
      if ("begin" in step) files.set((path = step.begin), []);
      else if ("write" in step) files.get(path).push(step.write);
    }
  };
  const publication = new Publication(BASE, AT, { maxDocumentEntries: 2, describedby: `${BASE}about.html` });
  publication.set("", `${BASE}about.html`);
  publication.beginResourceList();
  for (const entry of resources) {
    publication.push(entry);
    follow(publication.take());
  }
  publication.beginChangeLists("2024-04-01T00:00:00Z");
  for (const entry of changes) {
    publication.push(entry);
    follow(publication.take());
  }
  const { steps, published } = publication.finish();
  follow(steps);
  return { published, files: new Map([...files].map(([name, parts]) => [name, new Blob(parts)])) };
}

const entry = (number, more) => ({ uri: `${BASE}res/${number}`, lastmod: "2024-04-20T00:00:00Z", length: 5, hashes: { md5 }, ...more });

test("a publication is a Source without findings, followed from its host", async () => {
  const old = [entry(1), entry(2), entry(3)];
  const now = [entry(1), entry(2, { hashes: { md5: md5.replace(/^./, "0") } }), entry(4)];
  const changes = [...diff(old, now, "2024-04-20T00:00:00Z")];
  assert.deepEqual(changes.map(({ uri, change }) => [uri.at(-1), change]), [["2", "updated"], ["3", "deleted"], ["4", "created"]]);

  const { published, files } = publish(now, changes);
  assert.deepEqual([...files.keys()], published.written);
  assert.ok(files.has(".well-known/resourcesync") && files.has("resourcelist-2.xml"), published.written.join(" "));
  assert.deepEqual([published.sets[0].resources, published.sets[0].changes.open.number], [3, 2]);

  const asked = [];
  let progress;
  const report = await crawl(BASE, {
    onProgress: (told) => (progress = told),
    fetch: (uri, { purpose }) => {
      asked.push(purpose);
      const body = files.get(new URL(uri).pathname.slice(1));
      return body && { body };
    },
  });
  assert.deepEqual(report.groups, []);
  assert.equal(report.verdict, "valid");
  assert.ok(report.inputs.length >= files.size);
  assert.deepEqual([progress.documents, progress.entries], [report.summary.inputs, report.summary.entries]);
  const all = [...files].filter(([name]) => name.endsWith(".xml")).map(([name, source]) => ({ source, name }));
  assert.equal((await validateAll(all)).verdict, "valid");
});

test("a store is given every file, what is announced is listed, and the next publication goes on", async () => {
  const files = new Map();
  let open;
  const store = {
    begin: (path) => (open = { path, parts: [] }),
    write: async ({ length, ...bytes }) => open.parts.push(Uint8Array.from({ length, ...bytes })),
    end: () => files.set(open.path, new Blob(open.parts)),
  };
  const publish = async (at, histories, changes) => {
    const source = new Publication(BASE, at, { describedby: `${BASE}about.html`, store });
    source.set("data", `${BASE}about.html`);
    await source.resourceList((async function* () { yield entry(1); yield entry(2); })());
    await source.resourceDump([{ entry: entry(1, { type: "text/plain", hashes: undefined }), bytes: new Blob(["12345"]).stream() }]);
    await source.changeLists(histories.changes, changes);
    await source.changeDump(histories.dump, changes.slice(-1).map((entry) => ({ entry: { ...entry, type: "text/plain", hashes: undefined }, bytes: "12345" })));
    source.announce({ capability: "change-notification", uri: `${BASE}channel`, hub: `${BASE}hub` });
    source.announce({ capability: "framework-notification", uri: `${BASE}other`, hub: `${BASE}hub` });
    return source.publish();
  };
  const since = "2024-04-01T00:00:00Z";
  const change = (number, datetime) => entry(number, { change: "updated", datetime });
  const changes = [change(1, "2024-04-20T00:00:00Z")];
  const first = await publish(AT, { changes: since, dump: since }, changes);
  assert.deepEqual([...files.keys()], first.written);
  changes.push(change(2, "2024-05-02T00:00:00Z"));
  const { changes: history, dump } = JSON.parse(JSON.stringify(first.sets[0]));
  const second = await publish("2024-05-03T00:00:00Z", { changes: history, dump }, changes);
  assert.deepEqual(second.sets[0].dump.packages.map(({ number }) => number), [1, 2]);

  const list = await read(files.get("data/capabilitylist.xml"));
  const channel = list.entries.find(({ uri }) => uri === `${BASE}channel`);
  assert.deepEqual([channel.capability, channel.links], ["change-notification", [{ rel: "hub", href: `${BASE}hub` }]]);
  assert.ok(list.entries.some(({ uri }) => uri === `${BASE}other`));
  const all = [...files].filter(([name]) => /xml$|zip$/.test(name)).map(([name, source]) => ({ source, name, uri: BASE + name }));
  assert.equal((await validateAll(all)).summary.errors, 0);
});

test("what is missing, fails or cannot be read to its end is said, whatever answers first", async () => {
  const { files } = publish([entry(1)], []);
  const fetch = async (uri) => {
    const name = new URL(uri).pathname.slice(1);
    await new Promise((go) => setTimeout(go, name.length % 3));
    if (name === "changelist.xml") return undefined;
    if (name === "resourcelist.xml") throw new Error("the network is down");
    return files.has(name) ? new Response(files.get(name)) : new Response("", { status: 404 });
  };
  const one = await crawl(`${BASE}.well-known/resourcesync`, { fetch, concurrency: 1 });
  const many = await crawl(`${BASE}.well-known/resourcesync`, { fetch, concurrency: 8 });
  assert.deepEqual(one, many);
  assert.equal(one.verdict, "invalid");
  assert.ok(one.diagnostics.some(({ code }) => code.startsWith("INP-")));
});

test("a crawl is ended by a signal, and its options are checked", async () => {
  const abort = new AbortController();
  const fetch = () => {
    abort.abort(new Error("enough"));
    return new Promise((_, fail) => setTimeout(() => fail(new Error("cut")), 5));
  };
  await assert.rejects(crawl(BASE, { fetch, signal: abort.signal }), /enough/);
  await assert.rejects(crawl(BASE, { fetsh: fetch }), OptionError);
});

test("inventories that are not sorted are refused", () => {
  assert.throws(() => [...diff([entry(2), entry(1)], [], AT)], OptionError);
  assert.throws(() => [...diff([], [{ uri: "http://example.com/1", lenght: 1 }], AT)], OptionError);
});

test("dumps are held to the packages given with them", async () => {
  const { bytes, packed: about } = await packed([resource(1)]);
  const dump = (sha256) => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="${BASE}capabilitylist.xml"/><rs:md capability="resourcedump" at="${AT}"/>
<url><loc>${BASE}part1.zip</loc><rs:md type="application/zip" length="${bytes.length}" hash="sha-256:${sha256}"/></url></urlset>`;
  const run = (text) => validateAll([{ source: text, name: "resourcedump.xml" }, { source: new Blob([bytes]), name: "part1.zip" }]);
  const right = await run(dump(about.sha256));
  assert.ok(!right.groups.some(({ code }) => code.startsWith("PKG")), JSON.stringify(right.groups));
  const wrong = await run(dump(about.sha256.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))));
  assert.ok(wrong.groups.some(({ code, severity }) => code.startsWith("PKG") && severity === "error"), JSON.stringify(wrong.groups));
  const missing = await validateAll([{ source: (async function* () { throw new Error("gone"); })(), name: "a.xml" }]);
  assert.deepEqual(missing.groups.map(({ code }) => code), ["INP-01"]);
});

test("packages of the corpus open", async () => {
  for (const { bytes, isPackage, options, expected } of cases()) {
    if (!isPackage) continue;
    const opened = await openPackage(bytes(), options);
    assert.equal(opened.report.verdict, JSON.parse(expected()).verdict);
    opened[Symbol.dispose]();
  }
});
