// Parts of the page that need no browser: the table of texts, addresses, links, examples.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const src = join(dirname(fileURLToPath(import.meta.url)), "../src");

/** A module of the page, compiled for node. */
async function load(name) {
  const { outputFiles } = await build({ entryPoints: [join(src, name)], bundle: true, format: "esm", write: false, logLevel: "error", define: { WITH_URLS: "false" }, external: ["resourcesync/*"] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text.replace(/import .* from "resourcesync\/lite";/, "const entries = 0, init = 0;")).toString("base64")}`);
}

const { TABLE, Words, preferred } = await load("words/index.ts");
const { BUILD } = await load("words/build.ts");
const { COMPARE } = await load("words/compare.ts");
const { GUIDE } = await load("words/guide.ts");
const { OUTLOOK } = await load("words/outlook.ts");
const { TOLD } = await load("words/told.ts");
const address = await load("address.ts");
const { finder } = await load("engine/links.ts");
const { ROLES } = await load("words/roles.ts");
const { differing } = await load("view/example.ts");
const { openText, rowAt, rowsOf } = await load("engine/text.ts");
const { asUri, fromLines } = await load("build/resources.ts");
const { difference } = await load("engine/difference.ts");
const { collapsed, tree } = await load("engine/tree.ts");
const { seams, steps, unitFor } = await load("engine/timeline.ts");
const { instant, isDatetime } = await load("engine/datetime.ts");
const { urlOf } = await load("view/url.ts");

test("every word is there in both languages, with the same values", () => {
  const values = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  for (const [word, [en, ja]] of Object.entries({ ...TABLE, ...BUILD, ...COMPARE, ...GUIDE, ...OUTLOOK, ...TOLD })) {
    assert.ok(en && ja, word);
    assert.deepEqual(values(en), values(ja), word);
    assert.equal(ja.includes("|"), false, `${word}: Japanese has one form`);
  }
});

test("datetimes are those that the core accepts, and only one with a time zone is a moment", () => {
  for (const text of ["2026", "2026-04", "2024-02-29"]) assert.deepEqual([isDatetime(text), instant(text)], [true, undefined], text);
  assert.equal(instant("2026-04-01T09:00:00.5+09:00"), Date.UTC(2026, 3, 1, 0, 0, 0, 500));
  for (const text of ["", "item 5", "2026/04/01", "2026-13", "2026-02-30", "2026-04-01T09:00:00", "2026-04-01 09:00:00Z", "2026-04-01T24:00:00Z", "2026-04-01T09:00:60Z", "2026-04-01T09:00Zulu"]) assert.deepEqual([isDatetime(text), instant(text)], [false, undefined], text);
});

test("every role of a related place that reports have is named on the page", () => {
  const labels = readFileSync(join(src, "../../core/src/report/i18n/labels.rs"), "utf8");
  const [en, ja] = [...labels.matchAll(/roles: &\[(.*?)\n {4}\],/gs)].map(([, rows]) => [...rows.matchAll(/\("([a-z-]+)", "/g)].map(([, role]) => role));
  assert.ok(en.length > 10);
  assert.deepEqual(ja, en);
  assert.deepEqual(Object.keys(ROLES).sort(), [...en].sort());
  for (const word of Object.values(ROLES)) assert.ok(TABLE[word], word);
});

test("counts and numbers are said as the language says them", () => {
  const [en, ja] = [new Words("en"), new Words("ja")];
  assert.equal(en.count("errors", 1), "1 error");
  assert.equal(en.count("errors", 48_214), "48,214 errors");
  assert.equal(ja.count("errors", 48_214), "エラー 48,214 件");
  assert.equal(en.size(1_500_000), "1.5 MB");
  assert.equal(en.size(1), "1 byte");
  assert.equal(en.percent(1, 4), "25%");
});

test("values are not templates", () => {
  assert.equal(new Words("en").say("notCheckedTo", { name: "{by}" }), "`{by}` was not checked completely");
});

test("the language is that of the browser's first known preference", () => {
  assert.equal(preferred(["fr", "ja-JP", "en"], "en"), "ja");
  assert.equal(preferred(["en-GB", "ja"], "ja"), "en");
  assert.equal(preferred(["fr"], "en"), "en");
  assert.equal(preferred([], "ja"), "ja");
});

test("an address says what was on show", () => {
  const state = {
    lang: "ja", route: { view: "check" }, phase: { at: "done" }, settings: { profile: "strict", fixity: false, expect: "change-list" },
    filters: { severities: new Set(["error", "info"]), text: "a&b=c", input: 3, group: "entry", sort: "code", muted: new Set(["RL-03", "CL-13"]) },
  };
  const hash = address.write(state);
  assert.equal(hash, "#/report?severity=error,info&input=3&group=entry&sort=code&hide=RL-03,CL-13&profile=strict&fixity=no&expect=change-list&q=a%26b%3Dc");
  const { filters, settings, ofReport } = address.read(hash);
  assert.deepEqual(filters, state.filters);
  assert.deepEqual(settings, state.settings);
  assert.equal(ofReport, true);
  assert.equal(address.read(hash.replace("strict", "search-engines")).settings.profile, "search-engines");
});

test("a hostile address is read without harm", () => {
  const { filters, settings, route } = address.read("#/report?severity=none&input=-1&hide=<x>,RL-03&group=x&expect=%3Cx%3E&profile=x&lang=xx");
  assert.equal(filters.severities.size, 3);
  assert.equal(filters.input, undefined);
  assert.deepEqual([...filters.muted], ["RL-03"]);
  assert.deepEqual(settings, { profile: "standard", fixity: true });
  assert.deepEqual(route, { view: "check" });
  assert.deepEqual(address.read("#/rules/%E0%A4%A").route, { view: "rules", rule: "%E0%A4%A" });
});

test("a linked document is found among the given ones by the end of its path", () => {
  const find = finder(["capabilitylist.xml", "part/list 1.xml", ".well-known/resourcesync"]);
  assert.equal(find("https://example.org/dataset/capabilitylist.xml"), "capabilitylist.xml");
  assert.equal(find("https://example.org/part/list%201.xml"), "part/list 1.xml");
  assert.equal(find("https://example.org/other/list%201.xml"), null);
  assert.equal(find("https://example.org/.well-known/resourcesync"), ".well-known/resourcesync");
  assert.equal(find("https://example.org/changelist.xml"), null);
  assert.equal(find("no uri"), null);
});

test("an example marks the lines that differ and no others", () => {
  const [before, after] = differing(["a", "b", "c"], ["a", "x", "c", "d"]);
  const marked = (lines) => lines.filter(({ differs }) => differs).map(({ text }) => text);
  assert.deepEqual(marked(before), ["b"]);
  assert.deepEqual(marked(after), ["x", "d"]);
});

test("lines become resources; what is beyond ASCII is percent-encoded, what is encoded stays", () => {
  assert.deepEqual(fromLines("https://e.org/a%20b\t2026-01-01\r\n\n  https://e.org/図  \n"), [
    { uri: "https://e.org/a%20b", lastmod: "2026-01-01" },
    { uri: "https://e.org/%E5%9B%B3" },
  ]);
  assert.equal(asUri("https://e.org/%E5"), "https://e.org/%E5");
});

/** A document as the page reads it: each row with its line and its text. */
async function rows(content) {
  const { id, rows } = await openText(new Blob([content]));
  return { id, rows: (await rowsOf(id, 0, rows)).map(({ line, begins, offset, bytes }) => ({ line, begins, offset, text: Buffer.from(bytes).toString() })) };
}

test("rows of a document are its lines, whatever ends them", async () => {
  const { id, rows: own } = await rows("a\nb\r\nc\rd\n\ne");
  assert.deepEqual(own.map(({ line, text }) => [line, text]), [[1, "a\n"], [2, "b\r\n"], [3, "c\r"], [4, "d\n"], [5, "\n"], [6, "e"]]);
  assert.deepEqual([0, 1, 2, 4, 5, 9, 99].map((offset) => rowAt(id, offset)), [0, 0, 1, 1, 2, 4, 5]);
  assert.deepEqual((await rows("")).rows.map(({ line, text }) => [line, text]), [[1, ""]]);
});

test("a long line continues in rows that begin with an element or are cut between characters", async () => {
  const entry = `<url><loc>https://example.org/${"x".repeat(150)}</loc></url>`;
  const elements = (await rows(entry.repeat(50))).rows;
  assert.ok(elements.length >= 50);
  assert.ok(elements.every(({ line, begins, text }, at) => line === 1 && begins === (at === 0) && text.startsWith("<")));
  const wide = "図".repeat(1000);
  const cut = (await rows(wide)).rows;
  assert.ok(cut.length > 5 && cut.every(({ text }) => /^図+$/.test(text)));
  assert.equal(cut.map(({ text }) => text).join(""), wide);
});

test("offsets are those of the unpacked document in UTF-8", async () => {
  const text = "\ufeff<a>\n<b>図</b>\n</a>";
  const plain = (await rows(text)).rows;
  const packed = (await rows(gzipSync(Buffer.from(text)))).rows;
  const wide = (await rows(Buffer.from(text, "utf16le"))).rows;
  assert.deepEqual(packed, plain);
  assert.deepEqual(wide, plain);
});

/** A difference as text. */
const said = (before, after) => difference(before, after, 100).parts.map((lines) => lines.map(({ side, text }) => `${{ both: " ", old: "-", new: "+" }[side]}${text}`).join("\n"));
const numbered = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));

test("a difference has three lines around each part, and its lines rebuild both texts", () => {
  const before = numbered(1, 30);
  const after = [...before];
  after[9] = "ten";
  after.splice(24, 1);
  assert.deepEqual(said(before.join("\n"), after.join("\n")), [" 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13", " 22\n 23\n 24\n-25\n 26\n 27\n 28"]);
  assert.deepEqual(said("a\nb", "a\nb"), []);
  assert.deepEqual(said("x", "y"), ["-x\n+y"]);
  for (const [one, other] of [["a\na\nb\na", "a\nb\na\na\nc"], ["1\n2\n3\n4", "3\n4\n1\n2"], ["", "a"], ["}\n}\na\n}", "}\na\n}\n}"]]) {
    const lines = difference(one, other, 100).parts.flat();
    const rebuilt = (side) => lines.filter((line) => line.side === "both" || line.side === side).map(({ text }) => text).join("\n");
    assert.deepEqual([rebuilt("old"), rebuilt("new")], [one, other]);
  }
});

test("a difference marks the characters that differ, also far in a long line", () => {
  const line = (value) => `${"x".repeat(5_000)}${value}${"y".repeat(5_000)}`;
  const [[old, now]] = difference(line("12"), line("345"), 10).parts;
  assert.deepEqual([old, now].map(({ text, mark }) => text.slice(...mark)), ["12", "345"]);
  assert.ok(old.text.length < 500 && old.text.startsWith("…") && old.text.endsWith("…"));
});

const input = (id, parent, more = {}) => ({ id, ...(parent !== undefined && { parent }), uri: `https://e.org/${id}`, name: `https://e.org/${id}`, via: "loc", kind: "change-list", entries: 1, bytes: 1, verdict: "valid", ...more });
const reportOf = (inputs, diagnostics = []) => ({ inputs, diagnostics, groups: [] });

test("the tree of a Source has what is above on top, wherever the crawl began, and no cycle", () => {
  const shape = (leaves) => leaves.map(({ uri, children }) => (children.length > 0 ? [uri.at(-1), shape(children)] : uri.at(-1)));
  assert.deepEqual(shape(tree(reportOf([input(0), input(1, 0), input(2, 1)]))), [["0", [["1", ["2"]]]]]);
  assert.deepEqual(shape(tree(reportOf([input(0), input(1, 0, { via: "up" }), input(2, 1, { via: "up" }), input(3, 1)]))), [["2", [["1", ["0", "3"]]]]]);
  assert.deepEqual(tree(reportOf([input(0), input(1)])), []);
  assert.ok(tree(reportOf([input(0, 1), input(1, 0)])).length > 0);
  const missing = { code: "INP-05", input: 0, args: { uri: "https://e.org/x" } };
  const [top] = tree(reportOf([input(0), input(1, 0)], [missing, missing, { ...missing, args: { uri: "https://e.org/1" } }]));
  assert.deepEqual(top.children.map(({ uri, finding }) => [uri, finding]), [["https://e.org/1", undefined], ["https://e.org/x", 0]]);
});

test("many documents are grouped, those with problems stay", () => {
  const leaf = (verdict, kind = "change-list") => ({ input: { verdict, kind }, uri: "u", errors: 0, children: [] });
  const few = collapsed([leaf("valid"), leaf("invalid")]);
  assert.equal(few.filter((own) => "leaf" in own).length, 2);
  const many = collapsed([...Array(990).fill(leaf("valid")), ...Array(10).fill(leaf("invalid")), leaf("valid", "resource-list")]);
  assert.deepEqual(many.map((own) => ("leaf" in own ? own.leaf.input.verdict : `${own.leaves.length} ${own.kind} ${own.verdict}`)),
    [...Array(6).fill("invalid"), "990 change-list valid", "4 change-list invalid", "valid"]);
});

test("gaps and overlaps are those between intervals of one set", () => {
  const own = (from, until, up = "a", kind = "change-list") => ({ name: "", kind, up, from, ...(until && { until }) });
  assert.deepEqual(seams([own(0, 10), own(10, 20), own(25, 30), own(28, undefined), own(0, 5, "b"), own(0, 99, "a", "change-list-index")]),
    [{ kind: "change-list", is: "gap", from: 20, until: 25 }, { kind: "change-list", is: "overlap", from: 28, until: 30 }]);
});

test("days are summed up in steps that fit", () => {
  const day = 86_400_000;
  assert.deepEqual([10, 300, 3_000, 30_000].map((days) => unitFor(days * day, 120)), ["day", "week", "month", "year"]);
  const at = (date) => ({ day: Date.parse(date), counts: { created: 1, updated: 0, deleted: 0, other: 0 } });
  assert.deepEqual(steps([at("2026-04-05"), at("2026-04-06"), at("2026-04-12"), at("2026-04-13")], "week").map(({ day, counts }) => [new Date(day).toISOString().slice(0, 10), counts.created]),
    [["2026-03-30", 1], ["2026-04-06", 2], ["2026-04-13", 1]]);
});

test("a URL may be given without its scheme, and only of the web", () => {
  assert.equal(urlOf("two words"), null);
  assert.equal(urlOf("example.org"), "https://example.org/");
  assert.equal(urlOf("http://localhost:8080/x"), "http://localhost:8080/x");
  assert.equal(urlOf("javascript:alert(1)"), null);
  assert.equal(urlOf("ftp://example.org/"), null);
  assert.equal(urlOf(""), null);
});
