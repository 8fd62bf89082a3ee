/** What is read of a published folder, and a hub that hears of it. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { crawl, readSync, validateSync } from "resourcesync";
import { readNotification } from "resourcesync/notify";
import { changes as changesSince, init, survey } from "resourcesync/sync";

export const BASE = "https://example.com/";

/** Every published file, by its path. */
export function tree(folder, relative = "", found = {}) {
  for (const name of readdirSync(join(folder, relative))) {
    const path = join(relative, name);
    if (statSync(join(folder, path)).isDirectory()) tree(folder, path, found);
    else found[path] = readFileSync(join(folder, path), "utf8");
  }
  return found;
}

const read = (folder, name) => readSync(readFileSync(join(folder, name)));

function changes(folder) {
  const first = read(folder, "changelist.xml");
  return first.kind === "change-list-index" ? first.entries.flatMap(({ uri }) => read(folder, uri.slice(BASE.length)).entries) : first.entries;
}

/** The resources of the Resource List after all changes, by URI: their lengths. */
export function replayed(folder) {
  const list = read(folder, "resourcelist.xml");
  const found = new Map(list.entries.map(({ uri, length }) => [uri, length]));
  const since = list.head?.at ?? "1970";
  for (const { change, uri, length, datetime } of changes(folder)) {
    // Their texts have no order: with and without fractions of a second.
    if (Date.parse(datetime) <= Date.parse(since)) continue;
    if (change === "deleted") found.delete(uri);
    else found.set(uri, length);
  }
  return Object.fromEntries([...found].sort());
}

const line = ({ change, uri, datetime }) => `${change} ${uri} ${datetime}`;

/** Every change in the Change Lists. */
export const listed = (folder) => changes(folder).map(line);

/** Asserts that every published document is valid. */
export function valid(folder) {
  for (const [name, text] of Object.entries(tree(folder))) if (text !== "" && (name.endsWith(".xml") || name.endsWith("resourcesync"))) assert.equal(validateSync(text).verdict, "valid", name);
}

/** A harvester of a published folder, which reads it as a server sends it. */
export class Harvester {
  #checkpoint;
  #held = {};
  #folder;
  #hub;

  constructor(folder, hub) {
    this.#folder = folder;
    this.#hub = hub;
  }

  #fetch = async (uri) => {
    const path = join(this.#folder, uri.slice(BASE.length));
    if (!existsSync(path)) return new Response("", { status: 404 });
    const body = readFileSync(path);
    const link = uri.includes("/notifications/") ? { link: `<${this.#hub}>; rel="hub", <${uri}>; rel="self"`, "content-type": "application/xml" } : {};
    return new Response(body, { headers: { "content-length": body.length, ...link } });
  };

  /** What a new copy has, by URI: the lengths. It throws unless the copy is in step. */
  async started() {
    await init();
    const held = {};
    for await (const { uri, length } of survey(BASE, { fetch: this.#fetch })) held[uri] = length;
    return Object.fromEntries(Object.entries(held).sort());
  }

  /** What a copy has that follows the changes since the last call. */
  async followed() {
    await init();
    const run = this.#checkpoint ? changesSince(this.#checkpoint, { fetch: this.#fetch }) : survey(BASE, { fetch: this.#fetch });
    for await (const { change, uri, length } of run) change === "deleted" ? delete this.#held[uri] : (this.#held[uri] = length);
    this.#checkpoint = run.checkpoint;
    return Object.fromEntries(Object.entries(this.#held).sort());
  }

  /** The codes that are found when the whole Source is followed. */
  async found() {
    const report = await crawl(`${BASE}.well-known/resourcesync`, { fetch: this.#fetch });
    return [report.verdict, ...report.diagnostics.map(({ code }) => code)];
  }
}

/** A hub that accepts, refuses for now, or never answers; equal bytes are accepted once. */
export async function hub(context, below) {
  const own = { payloads: [], isDown: false };
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      if (own.isDown) return response.writeHead(503).end();
      const body = Buffer.concat(parts);
      if (request.headers.link.includes("/changes.xml>") && !own.payloads.some((other) => other.equals(body))) own.payloads.push(body);
      // What a killed process, or one without an answer, had sent comes again.
      if (below(6) === 0) request.socket.destroy();
      else response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  own.end = () => (server.close(), server.closeAllConnections());
  context.after(own.end);
  own.uri = `http://127.0.0.1:${server.address().port}/`;
  return own;
}

/** The changes that were announced: the intervals are contiguous, and no change is announced twice. */
export function announced({ payloads }) {
  const all = payloads.map((body) => readNotification(body, "change-notification"));
  for (const [place, { report, from }] of all.entries()) {
    assert.equal(report, undefined);
    if (place > 0) assert.equal(from, all[place - 1].until);
  }
  return all.flatMap(({ changes }) => changes.map(line));
}
