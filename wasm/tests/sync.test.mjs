/** Following Change Lists: the transcripts that Rust and Python run too, and the same with `fetch`. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { ChangeFollower, followChanges, OptionError } from "resourcesync/sync";

import { root } from "./cases.mjs";

const corpus = join(root, "tests/corpus/sync");
const cases = readdirSync(corpus).filter((name) => name.endsWith(".json")).map((name) => ({ name, ...JSON.parse(readFileSync(join(corpus, name), "utf8")) }));
const NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';

/** A document of a transcript: its root, and an entry or link for each further line. */
function document(lines) {
  if (lines.length === 0 || lines[0].startsWith("<")) return lines.join("");
  const [[capability, ...given], ...rest] = lines.map((line) => line.split(" "));
  const attributes = (words) => words.map((word) => ` ${word.slice(0, word.indexOf("="))}="${word.slice(word.indexOf("=") + 1)}"`).join("");
  const kind = capability.replace(/-index$/, "");
  const [of, entry] = kind === capability ? ["urlset", "url"] : ["sitemapindex", "sitemap"];
  const inner = rest.map(([first, ...words]) => (first === "link" ? `<rs:ln${attributes(words)}/>` : `<${entry}><loc>${first}</loc><rs:md${attributes(words)}/></${entry}>`));
  return `<${of} ${NAMESPACES}><rs:md capability="${kind}"${attributes(given)}/>${inner.join("")}</${of}>`;
}

/** What the server of a case sends; `undefined` for no response. */
function sent(served, uri, condition) {
  const { status: own, headers = [], document: lines = [] } = served.server[uri] ?? { status: 404 };
  const pairs = headers.map((header) => [header.slice(0, header.indexOf(": ")), header.slice(header.indexOf(": ") + 2)]);
  const etag = pairs.find(([name]) => name === "ETag")?.[1];
  const status = own ?? (etag !== undefined && etag === condition ? 304 : 200);
  return status === 0 ? undefined : { status, headers: pairs, body: status === 200 ? document(lines) : "" };
}

/** The last lines of a transcript. */
function concluded({ state, changes, gap, older = [], ahead, orders = [], unreadableEntries, checkpoint }) {
  const words = { present: "fetch", deleted: "delete", unknown: "ask" };
  return [
    ...changes.map(({ presence, uri, hash }) => `out ${words[presence]} ${uri}${hash && presence === "present" ? ` ${hash}` : ""}`),
    `out state ${state}`,
    ...(gap ? [`out gap ${gap.after ?? "?"} ${gap.before ?? "?"}`] : []),
    ...older.map(({ uri, at, seen }) => `out older ${uri} ${at} ${seen}`),
    ...(ahead ? [`out ahead ${ahead.uri} ${ahead.at}`] : []),
    ...orders.map((order) => `out order ${order}`),
    ...(unreadableEntries > 0 ? [`out unreadable ${unreadableEntries}`] : []),
    `out as-of ${checkpoint.asOf ?? "?"}`,
    ...checkpoint.open.map(({ uri, entries }) => `out open ${uri} ${entries}`),
  ];
}

const options = ({ now, acceptOlder }) => ({ now: now * 1000, acceptOlder });

for (const one of cases) {
  test(`${one.name} is played as it is written`, async (context) => {
    // Without the pauses.
    context.mock.method(globalThis, "setTimeout", (wake) => setImmediate(wake));
    const lines = [];
    const follower = new ChangeFollower(one.checkpoint, options(one));
    for (let request = follower.poll(); request; request = follower.poll()) {
      const condition = request.headers["If-None-Match"];
      lines.push(`out read ${request.uri}${condition === undefined ? "" : ` if-none-match ${condition}`}`);
      const response = sent(one, request.uri, condition);
      lines.push(response ? `in ${response.status}` : "in no response");
      if (response) {
        follower.answer(response.status, response.headers);
        const bytes = Buffer.from(response.body);
        for (let at = 0; at < bytes.length; at += 100) follower.push(bytes.subarray(at, at + 100));
        follower.end();
      } else follower.failed("no response");
    }
    lines.push(...concluded(follower.finish()));
    assert.deepEqual(lines, one.lines);
    assert.throws(() => follower.finish(), OptionError);

    const get = async (uri, { headers }) => {
      const response = sent(one, uri, headers["If-None-Match"]);
      if (!response) throw new TypeError("no response");
      return new Response(response.status === 304 ? null : response.body, response);
    };
    const last = one.lines.filter((line) => !line.startsWith("in ") && !line.startsWith("out read "));
    assert.deepEqual(concluded(await followChanges(one.checkpoint, { ...options(one), fetch: get })), last);
  });
}

test("an old list of a cache is read again after a pause", async (context) => {
  const [set, list] = ["http://a.example/cap", "http://a.example/changes"];
  const entry = (name) => `http://a.example/${name} change=updated datetime=2024-01-0${name}T00:00:00Z`;
  const lists = { whole: [2, 3].map(entry), old: [2].map(entry) };
  let served = "whole";
  const get = async (uri) => {
    const lines = { [set]: ["capabilitylist", `${list} capability=changelist`], [list]: ["changelist from=2024-01-01T00:00:00Z", ...lists[served]] }[uri];
    return lines ? new Response(document(lines)) : new Response(null, { status: 404 });
  };
  const { checkpoint } = await followChanges({ set, sources: [list], asOf: "2024-01-01T00:00:00Z" }, { fetch: get });
  served = "old";
  const real = globalThis.setTimeout;
  context.mock.method(globalThis, "setTimeout", (wake, ms) => {
    assert.ok(ms >= 1000);
    served = "whole";
    return real(wake, 0);
  });
  const { state, older = [] } = await followChanges(checkpoint, { fetch: get });
  assert.deepEqual([state, older], ["unchanged", []]);
  served = "old";
  const signal = AbortSignal.abort("enough");
  await assert.rejects(followChanges(checkpoint, { fetch: get, signal }), (reason) => reason === "enough");
});

test("there are transcripts", () => assert.ok(cases.length > 40));

test("an invalid checkpoint is an error, and a signal ends the requests", async () => {
  assert.throws(() => new ChangeFollower({ set: 1 }), OptionError);
  assert.throws(() => new ChangeFollower("text"), OptionError);
  const checkpoint = { set: "http://a.example/cap", sources: ["http://a.example/changes"], asOf: "2020-01-01T00:00:00Z" };
  const abort = new AbortController();
  const get = async () => {
    abort.abort(new Error("enough"));
    throw abort.signal.reason;
  };
  await assert.rejects(followChanges(checkpoint, { fetch: get, signal: abort.signal }), /enough/);
});
