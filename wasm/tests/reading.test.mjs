/** Reading and building: entry by entry, with backpressure, exactly, and rejecting invalid input. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { build, Builder, crawl, createPackage, entries, OptionError, Publication, read, ReadError, readSync, RefusedError, render, validate, validateAll, validateSync, write } from "resourcesync";

const HEAD = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
<rs:md capability="changelist" from="2024-01-01T00:00:00Z"/>`;
const change = (number, more = "") =>
  `<url><loc>http://example.com/${number}</loc><rs:md change="updated" datetime="2024-01-02T00:00:00Z" length="${number}"${more}/></url>`;

test("entries come as plain objects, and the head before them", async () => {
  const stream = entries(`${HEAD}${change(1, ' hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" type="text/html"')}</urlset>`);
  const all = [];
  for await (const entry of stream) all.push(entry);
  assert.deepEqual(all, [
    {
      uri: "http://example.com/1",
      change: "updated",
      datetime: "2024-01-02T00:00:00Z",
      hashes: { md5: "1584abdf8ebdc9802ac0c6a7402c03b6" },
      length: 1,
      type: "text/html",
    },
  ]);
  assert.deepEqual(await stream.head, {
    kind: "change-list",
    head: {
      capability: "changelist",
      from: "2024-01-01T00:00:00Z",
      links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }],
    },
  });
});

test("the head can be read before the loop, and nothing is lost by it", async () => {
  const stream = entries(new Blob([HEAD, change(1), change(2), "</urlset>"]).stream());
  assert.equal((await stream.head).head.from, "2024-01-01T00:00:00Z");
  const all = [];
  for await (const { uri } of stream) all.push(uri);
  assert.deepEqual(all, ["http://example.com/1", "http://example.com/2"]);

  const empty = entries(`${HEAD}</urlset>`);
  assert.equal((await empty.head).kind, "change-list");
  assert.equal((await empty.next()).done, true);
});

test("the head of what is left or cannot be read is rejected, and never waited for", async () => {
  const left = entries(`${HEAD}${change(1)}</urlset>`);
  await left.return();
  await assert.rejects(left.head, OptionError);
  const broken = entries(HEAD);
  await assert.rejects(broken.head, ReadError);
  await assert.rejects(broken.next(), ReadError);
  const closed = [];
  const source = async function* () {
    try {
      yield `${HEAD}${change(1)}`;
      yield "</urlset>";
    } finally {
      closed.push(true);
    }
  };
  const begun = entries(source());
  await begun.head;
  await begun.return();
  assert.deepEqual(closed, [true]);
});

test("entries asked for at once come in order, and a signal ends them between two that were read together", async () => {
  const list = `${HEAD}${change(1)}${change(2)}${change(3)}</urlset>`;
  const stream = entries(new Blob([list]).stream());
  const asked = await Promise.all(Array.from({ length: 5 }, () => stream.next()));
  assert.deepEqual(asked.map(({ done, value }) => [done, value?.length]), [[false, 1], [false, 2], [false, 3], [true, undefined], [true, undefined]]);

  const abort = new AbortController();
  const aborted = entries(list, { signal: abort.signal });
  assert.equal((await aborted.next()).value.length, 1);
  abort.abort(new Error("enough"));
  await assert.rejects(aborted.next(), /enough/);
  assert.deepEqual(await aborted.next(), { done: true, value: undefined });

  const left = entries(list);
  await left.next();
  await left.return();
  assert.deepEqual(await left.next(), { done: true, value: undefined });
});

test("values are those of their entry, whether they repeat or not, in any writing", () => {
  const types = ["text/html", "text/plain", "日本/語", "é"];
  const one = (number) => {
    const [uri, type] = [`http://example.com/${number}`, types[(number * 7) % 4]];
    const datetime = `2024-01-${10 + (number % 20)}T00:00:00Z`;
    return { uri, datetime, type, links: [{ rel: "alternate", href: `${uri}/${"x".repeat(number % 200)}`, modified: `${2000 + (number % 90)}`, type }] };
  };
  const written = ({ uri, datetime, type, links: [link] }) =>
    `<url><loc>${uri}</loc><rs:md datetime="${datetime}" type="${type}"/><rs:ln rel="alternate" href="${link.href}" modified="${link.modified}" type="${type}"/></url>`;
  const all = Array.from({ length: 5000 }, (_, number) => one(number));
  assert.deepEqual(readSync(`${HEAD}${all.map(written).join("")}</urlset>`).entries, all);
});

test("a digest may have any name, and each name has its first digest", () => {
  const hex = (length) => "0a".repeat(length / 2);
  const known = { md5: hex(32), "sha-1": hex(40), "sha-256": hex(64), "sha-384": hex(96), "sha-512": hex(128) };
  const all = { ...known, crc32c: "0a0b", ["__proto__"]: "0c" };
  const hash = [...Object.entries(all), ["md5", "1".repeat(32)]].map((digest) => digest.join(":")).join(" ");
  const [{ hashes }] = readSync(`${HEAD}${change(1, ` hash="${hash}"`)}</urlset>`).entries;
  assert.deepEqual(Object.entries(hashes), Object.entries(all));
  assert.equal(Object.getPrototypeOf(hashes), Object.prototype);
});

test("lengths are exact, however large", () => {
  const [small, large, huge] = [2 ** 53 - 1, 2n ** 53n + 1n, 2n ** 64n - 1n];
  const document = readSync(`${HEAD}${[small, large, huge].map((length) => change(length)).join("")}</urlset>`);
  assert.deepEqual(document.entries.map(({ length }) => length), [small, large, huge]);
  assert.match(write(document), /length="18446744073709551615"/);
  // A number beside one that is a `bigint` stays a number.
  const beside = '<rs:ln rel="duplicate" href="http://example.com/2" pri="7" length="5"/>';
  const [entry] = readSync(`${HEAD}${change(huge).replace("</url>", `${beside}</url>`)}</urlset>`).entries;
  assert.deepEqual([entry.length, entry.links[0].pri, entry.links[0].length], [huge, 7, 5]);
});

test("the source is asked for more only when what was read is taken, and closed when the loop is left", async () => {
  let given = 0;
  let closed = false;
  async function* source() {
    try {
      yield HEAD;
      for (;;) yield Array.from({ length: 100 }, () => change(given++)).join("");
    } finally {
      closed = true;
    }
  }
  let taken = 0;
  for await (const entry of entries(source())) {
    assert.ok(entry.uri);
    if (++taken === 1000) break;
  }
  assert.ok(given < 2000, `${given} given for 1000 taken`);
  assert.ok(closed);
});

test("what cannot be read further is an error after the entries before it", async () => {
  const seen = [];
  const broken = entries(`${HEAD}${change(1)}${change(2)}<url><loc>`);
  await assert.rejects(
    async () => {
      for await (const entry of broken) seen.push(entry.uri);
    },
    (error) => error instanceof ReadError && error.code === "READ" && error.diagnostic.code === "GEN-01" && error.diagnostic.span.start.line === 3,
  );
  assert.equal(seen.length, 2);
  assert.throws(() => readSync("no xml"), ReadError);
});

test("gzip is unpacked, foreign elements are kept, and what is read and written again reads the same", async () => {
  const text = `${HEAD.replace("<urlset ", '<urlset xmlns:x="http://example.org/x" ')}${change(1).replace("</url>", "<x:note>é</x:note></url>")}</urlset>`;
  const document = await read(gzipSync(text));
  assert.match(document.entries[0].elements[0], /é/);
  assert.deepEqual(readSync(write(document)), document);
});

test("what a builder accepts has no finding", () => {
  const head = { from: "2024-01-01T00:00:00Z", links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }] };
  const text = build("change-list", head, [
    { uri: "http://example.com/1", change: "created", datetime: "2024-01-02T00:00:00Z", length: 5, hashes: { md5: "1584abdf8ebdc9802ac0c6a7402c03b6" } },
    { uri: "http://example.com/1", change: "deleted", datetime: "2024-01-03T00:00:00Z" },
  ]);
  assert.deepEqual(validateSync(text).groups, []);
});

test("a refused entry leaves the document as it was", () => {
  const builder = new Builder("change-list", { from: "2024-01-01T00:00:00Z", links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }] });
  const entry = { uri: "http://example.com/1", change: "updated", datetime: "2024-01-03T00:00:00Z" };
  builder.push(entry);
  assert.throws(
    () => builder.push({ ...entry, datetime: "2024-01-02T00:00:00Z" }),
    (error) => error instanceof RefusedError && error.code === "REFUSED" && error.diagnostic.code === "CL-13",
  );
  builder.push({ ...entry, uri: "http://example.com/2" });
  assert.equal(builder.entries, 2);
  const text = builder.take() + builder.finish();
  assert.deepEqual(validateSync(text).groups, []);
  assert.equal(readSync(text).entries.length, 2);
});

test("what is no error is built and reported", async () => {
  const head = { at: "2024-01-01T00:00:00Z", links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }] };
  const odd = Array.from({ length: 120 }, (_, number) => ({ uri: `http://example.com/${number}`, type: "text/made-up" }));
  let accepted;
  const text = build("resource-list", head, odd, { onAccepted: (found) => (accepted = found) });
  assert.deepEqual(accepted.counts, { "AT-13": 120 });
  assert.equal(accepted.diagnostics.length, 100);
  assert.equal(validateSync(text).summary.infos, 120);
  build("resource-list", head, odd, { ignore: ["AT-13"], onAccepted: () => assert.fail("it was ignored") });
  build("resource-list", head, odd, { failOn: "warning" });
  assert.throws(() => build("resource-list", head, odd, { failOn: "info" }), RefusedError);
  assert.throws(() => build("resource-list", head, odd, { failOn: "never" }), /failOn: `never` is not error, warning or info/);
  assert.throws(() => validateSync(text, { failOn: "info" }), OptionError);

  const builder = new Builder("resource-list", head);
  for (const entry of odd) builder.push(entry);
  builder.finish();
  assert.deepEqual(builder.accepted.counts, { "AT-13": 120 });
  assert.throws(() => builder.push(odd[0]), OptionError);

  const source = new Publication("http://example.com/", "2024-01-01T00:00:00Z", { describedby: "http://example.com/about", store: { begin() {}, write() {}, end() {} } });
  source.set("", "http://example.com/about");
  await source.resourceList(odd);
  assert.deepEqual((await source.publish()).accepted.counts, { "AT-13": 120 });
  const packing = createPackage("resource-dump-manifest", head, [{ entry: { ...odd[0], path: "/1" }, bytes: "one" }]);
  let step;
  while (!(step = await packing.next()).done);
  assert.deepEqual(step.value.accepted.counts, { "AT-13": 1 });
});

test("a source is read until the rest would change nothing", async () => {
  let closed = 0;
  function* endless() {
    try {
      yield "<urlset";
      for (let part = 0; part < 1000; part++) yield "<".repeat(1000);
    } finally {
      closed += 1;
    }
    throw new Error("it was read although nothing more could change");
  }
  const report = await validate(endless());
  assert.equal(report.verdict, "invalid");
  assert.deepEqual(report.groups, validateSync("<urlset" + "<".repeat(1000)).groups);
  const own = { source: endless(), name: "list.xml" };
  assert.deepEqual((await validateAll([own])).groups, report.groups);
  assert.equal(closed, 2);
});

test("what is undefined is absent, wherever it stands", () => {
  const nothing = { hashes: undefined, length: undefined, links: undefined, attributes: undefined, elements: undefined, lastmod: undefined };
  const head = { at: "2024-01-01T00:00:00Z", until: undefined, elements: undefined, links: [{ rel: "up", href: "http://example.com/capabilitylist.xml", hashes: undefined, attributes: undefined }] };
  const entry = { uri: "http://example.com/1", ...nothing, links: [{ rel: "duplicate", href: "http://example.com/2", pri: undefined, hashes: undefined }] };
  assert.deepEqual(readSync(build("resource-list", head, [entry])).entries, [{ uri: "http://example.com/1", links: [{ rel: "duplicate", href: "http://example.com/2" }] }]);
});

test("a misspelt name is refused wherever it stands", async () => {
  const head = { at: "2024-01-01T00:00:00Z", links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }] };
  const wrong = (change) => assert.throws(change, OptionError);
  wrong(() => build("resource-list", { ...head, att: "x" }));
  wrong(() => build("resource-list", { ...head, links: [{ rel: "up", ref: "x" }] }));
  wrong(() => build("resource-list", head, [{ uri: "http://example.com/1", lenght: 5 }]));
  wrong(() => build("resource-list", head, [{ uri: "http://example.com/1", links: [{ attributes: [{ nam: "x" }] }] }]));
  wrong(() => build("resource-list", head, [{ uri: 5 }]));
  assert.throws(() => build("resource-lisst", head), /unknown kind `resource-lisst`; did you mean `resource-list`\?/);
  assert.throws(() => build("journal", head), /expected one of source-description, .*sitemap/);
  assert.equal(build("resourcelist", head), build("resource-list", head));
  assert.throws(() => validateSync("<urlset/>", { prophile: "strict" }), /unknown option `prophile`; did you mean `profile`\?/);
  assert.throws(() => render(validateSync("<urlset/>"), "jsn"), /format: unknown word `jsn`; did you mean `json`\?/);
  assert.throws(() => render(validateSync("<urlset/>"), "pdf"), /format: unknown word `pdf`; expected one of text, .*csv/);
  for (const [option, words] of [["resources", "none, all"], ["packages", "none, structure, full"]]) {
    await assert.rejects(crawl("http://example.com/", { [option]: "quite a lot" }), new RegExp(`${option}: unknown word \`quite a lot\`; expected one of ${words}`));
  }
  assert.throws(() => build("resource-list", head, [{ uri: "http://example.com/1" }, { uri: "relative" }]), (error) => error.index === 1);
});

test("a lone surrogate is not repaired in silence", () => {
  assert.throws(() => readSync(`${HEAD}<!-- \ud800 --></urlset>`), /half a character/);
});
