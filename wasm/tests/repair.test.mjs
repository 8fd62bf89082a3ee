/** Repairs are those of `resourcesync fix`, byte for byte, and reports are compared and merged. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { join } from "node:path";

import { compare, FormatError, init, SourceError, merge, OptionError, repair, toJson, validate, validateAll } from "resourcesync";

import { cases, root } from "./cases.mjs";

const command = join(root, "target/debug/resourcesync");
const fixed = (text, ...words) => spawnSync(process.env.RESOURCESYNC ?? command, ["fix", "-", "--output", "-", "--quiet", ...words], { input: text, encoding: "utf8" }).stdout;

/** The texts of the corpus that are repaired: each kind of repair a few times. */
function repaired() {
  const count = new Map();
  const found = [];
  // Generated documents are large.
  for (const { name, isPackage, input, bytes } of cases()) {
    const content = isPackage || input === "generated.xml" ? undefined : bytes();
    if (!content || content.length > 1 << 16) continue;
    const text = content.toString("utf8");
    if (!Buffer.from(text).equals(content)) continue;
    const own = repair(text);
    const kinds = own.repairs.map(({ kind }) => kind);
    if (!kinds.some((kind) => (count.get(kind) ?? 0) < 5)) continue;
    for (const kind of kinds) count.set(kind, (count.get(kind) ?? 0) + 1);
    found.push({ name, text, own });
  }
  return { found, kinds: [...count.keys()] };
}

test("a repaired document is the one that `fix` writes", async () => {
  await init();
  const { found, kinds } = repaired();
  assert.deepEqual(kinds.sort(), ["head", "namespace", "order", "prefix", "relation", "spelling", "utc"]);
  for (const { name, text, own } of found) assert.equal(own.text, fixed(text), name);
});

const LIST = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">\r\n<rs:ln rel="up" href="http://example.com/c.xml"/><rs:md capability="resourcelist" at="2013-01-03T09:00:00"/></urlset>';

test("a time zone is added only if it is given", async () => {
  await init();
  assert.deepEqual(repair(LIST), { text: LIST, repairs: [], rewritten: false });
  const own = repair(LIST, { zone: "+09:00" });
  assert.equal(own.text, fixed(LIST, "--zone", "+09:00"));
  const [{ kind, path, span, before, after }] = own.repairs;
  assert.deepEqual({ kind, path, line: span.start.line, before, after }, { kind: "utc", path: "/urlset/rs:md[1]/@at", line: 2, before: "2013-01-03T09:00:00", after: "2013-01-03T00:00:00Z" });
});

test("what cannot be read stays as it is, and wrong arguments are errors", async () => {
  await init();
  assert.deepEqual(repair("<urlset"), { text: "<urlset", repairs: [], rewritten: false });
  assert.throws(() => repair(LIST, { zone: "+9" }), OptionError);
  assert.throws(() => repair(5), OptionError);
  assert.throws(() => repair(`${LIST}<!-- \ud800 -->`), SourceError);
  assert.throws(() => repair(LIST, { timezone: "Z" }), OptionError);
});

test("findings are fixed, new or still there", async () => {
  const [before, after] = await Promise.all([LIST, LIST.replace("2013-01-03T09:00:00", "2013-01-03T09:00:00Z").replace('rel="up"', 'rel="down"')].map((text) => validate(text, { name: "list.xml" })));
  const codes = (report, places) => places.map((at) => report.diagnostics[at].code);
  const own = compare(before, toJson(after));
  assert.deepEqual(codes(before, own.fixed).length + own.same.length, before.diagnostics.length);
  assert.deepEqual(own.new.length + own.same.length, after.diagnostics.length);
  assert.ok(own.fixed.length > 0 && own.new.length > 0);
  assert.deepEqual(compare(after, after).fixed, []);
  const other = await validate(LIST, { name: "other.xml", ignore: ["GEN", "AT"] });
  assert.deepEqual(compare(before, other).unchecked.map(({ input, why }) => [input, why]), [[0, "absent"]]);
  assert.ok(own.counts.every(({ isComplete }) => isComplete));
  assert.throws(() => compare(before, "{}"), FormatError);
  assert.throws(() => compare(null, after), OptionError);
});

test("merged reports are the report of one run", async () => {
  const inputs = ["a.xml", "b.xml", "c.xml"].map((name, at) => ({ name, source: at === 1 ? "<urlset" : LIST }));
  const options = { profile: "strict", ignore: ["ADV"], limits: { depth: 9 } };
  const whole = await validateAll(inputs, options);
  const reports = await Promise.all(inputs.map(({ source, name }) => validate(source, { name, ...options })));
  assert.equal(toJson(merge(reports)), toJson(whole));
  assert.equal(toJson(merge([toJson(reports[0]), merge(reports.slice(1))])), toJson(whole));
  assert.deepEqual(whole.run.options, { ignore: ["ADV"], limits: ["depth=9"] });
  const other = await validate(LIST, { name: "d.xml" });
  assert.throws(() => merge([...reports, other]), (error) => error instanceof FormatError && error.message.startsWith("report 4 cannot be merged: its profile differs"));
  assert.throws(() => merge([]), FormatError);
  assert.throws(() => merge(["{}"]), FormatError);
  assert.throws(() => merge([null]), OptionError);
});
