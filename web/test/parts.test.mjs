// Parts of the page that need no browser: the table of texts, addresses, links, examples.

import { strict as assert } from "node:assert";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const src = join(dirname(fileURLToPath(import.meta.url)), "../src");

/** A module of the page, compiled for node. */
async function load(name) {
  const { outputFiles } = await build({ entryPoints: [join(src, name)], bundle: true, format: "esm", write: false, logLevel: "error", external: ["resourcesync/*"] });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text.replace(/import .* from "resourcesync\/lite";/, "const entries = 0, init = 0;")).toString("base64")}`);
}

const { TABLE, Words, preferred } = await load("words/index.ts");
const address = await load("address.ts");
const { finder } = await load("engine/links.ts");
const { differing } = await load("view/example.ts");
const { openText, rowAt, rowsOf } = await load("engine/text.ts");
const { asUri, fromLines } = await load("build/resources.ts");

test("every word is there in both languages, with the same values", () => {
  const values = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
  for (const [word, [en, ja]] of Object.entries(TABLE)) {
    assert.ok(en && ja, word);
    assert.deepEqual(values(en), values(ja), word);
    assert.equal(ja.includes("|"), false, `${word}: Japanese has one form`);
  }
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
  assert.equal(preferred(["fr", "ja-JP", "en"]), "ja");
  assert.equal(preferred(["en-GB", "ja"]), "en");
  assert.equal(preferred([]), "en");
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
