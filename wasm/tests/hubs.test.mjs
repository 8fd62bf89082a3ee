/** Publishing with hubs in node: what is notified is published, nothing is lost or sent twice in other words, and every face continues it. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { OptionError, publish, PublishError, readSync, Source, SourceFolder, validateSync } from "resourcesync";
import { Hub, HubDriver } from "resourcesync/hub";
import { readNotification } from "resourcesync/notify";

import { root } from "./cases.mjs";
import { python } from "./installed.mjs";

const native = process.env.RESOURCESYNC ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/resourcesync");
const CHILD = fileURLToPath(new URL("histories/sending.mjs", import.meta.url));
const BASE = "https://example.com/";
const CHANGES = `${BASE}notifications/changes.xml`;
const FRAMEWORK = `${BASE}notifications/framework.xml`;
const [NOTHING, FIRST] = ["2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z"];
/** Lets the command call a hub of this machine. */
const ALLOWED = (hub) => ["--allow-host", new URL(hub).host];
const record = (name, length = 1) => ({ uri: `${BASE}${name}`, length });

function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-hubs-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "public");
}

const read = (folder, name) => readFileSync(join(folder, name), "utf8");
const outbox = (folder) => join(`${folder}.resourcesync`, "outbox.jsonl");
/** The folder with the state of the published generation. */
const state = (folder) => join(`${folder}.resourcesync`, read(folder, ".generation").trim());

/** Every published file, by its path. */
function tree(folder, relative = "", found = {}) {
  for (const name of readdirSync(join(folder, relative))) {
    const path = join(relative, name);
    if (statSync(join(folder, path)).isDirectory()) tree(folder, path, found);
    else found[path] = read(folder, path);
  }
  return found;
}

function valid(folder) {
  for (const [name, text] of Object.entries(tree(folder))) if (text !== "" && (name.endsWith(".xml") || name.endsWith("resourcesync"))) assert.equal(validateSync(text).verdict, "valid", name);
}

/** A server that answers as the test says, and keeps what it gets: the topic, the body and its answer. */
async function answering(context, respond = () => 200) {
  const seen = [];
  const hub = { seen, respond };
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const topic = /<([^>]*)>; rel="self"/.exec(request.headers.link)?.[1];
      const own = { topic, link: request.headers.link, type: request.headers["content-type"], authorization: request.headers.authorization, body: Buffer.concat(parts) };
      seen.push(own);
      own.status = hub.respond(own);
      if (own.status) response.writeHead(own.status).end("said by the hub");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => (server.close(), server.closeAllConnections()));
  return Object.assign(hub, { uri: `http://127.0.0.1:${server.address().port}/hub` });
}

/** What a hub accepted of a topic, each once: equal bytes are the same notification. */
function accepted({ seen }, topic = CHANGES) {
  const own = seen.filter((post) => post.topic === topic && post.status === 200).map(({ body }) => body.toString());
  return own.filter((body, place) => own.indexOf(body) === place).map((body) => readNotification(Buffer.from(body), topic.endsWith("changes.xml") ? "change-notification" : "framework-notification"));
}

/** The changes that were announced, after a check that the intervals of the topic are contiguous. */
function announced(hub, topic) {
  const all = accepted(hub, topic);
  for (const [place, { report, from }] of all.entries()) {
    assert.equal(report, undefined);
    if (place > 0) assert.equal(from, all[place - 1].until);
  }
  return all.flatMap(({ changes }) => changes.map(({ change, uri, datetime }) => `${change} ${uri} ${datetime}`));
}

/** The changes in the Change Lists. */
function listed(folder) {
  const load = (uri) => readSync(readFileSync(join(folder, uri.slice(BASE.length))));
  const first = load(`${BASE}changelist.xml`);
  const entries = first.kind === "change-list-index" ? first.entries.flatMap(({ uri }) => load(uri).entries) : first.entries;
  return entries.map(({ change, uri, datetime }) => `${change} ${uri} ${datetime}`);
}

test("hubs are notified of every publication but the first", async (context) => {
  const [folder, hub] = [place(context), await answering(context)];
  const options = { hubs: [hub.uri] };
  const first = await publish(folder, BASE, [record("a"), record("b")], { ...options, at: NOTHING });
  assert.deepEqual([first.waiting, first.warnings, hub.seen, read(folder, "notifications/changes.xml")], [0, [], [], ""]);
  const list = readSync(readFileSync(join(folder, "capabilitylist.xml")));
  assert.deepEqual(list.entries.filter(({ capability }) => capability.endsWith("-notification")).map(({ capability, uri, links }) => [capability, uri, links.map(({ rel, href }) => [rel, href])]), [
    ["change-notification", CHANGES, [["hub", hub.uri]]],
    ["framework-notification", FRAMEWORK, [["hub", hub.uri]]],
  ]);
  const second = await publish(folder, BASE, [record("a", 2), record("c")], { ...options, at: FIRST });
  assert.deepEqual([second.waiting, second.warnings], [0, []]);
  assert.deepEqual(hub.seen.map(({ topic, type }) => [topic, type]), [[CHANGES, "application/xml"], [FRAMEWORK, "application/xml"]]);
  assert.equal(hub.seen[0].link, `<${CHANGES}>; rel="self", <${hub.uri}>; rel="hub", <${BASE}capabilitylist.xml>; rel="resourcesync"`);
  assert.deepEqual(announced(hub).sort(), listed(folder).sort());
  assert.deepEqual(accepted(hub).map(({ from, until }) => [from, until]), [[NOTHING, FIRST]]);
  // The Source serves the last payload.
  assert.deepEqual([read(folder, "notifications/changes.xml"), read(folder, "notifications/framework.xml")], hub.seen.map(({ body }) => body.toString()));
  // Nothing changed, so nothing is sent, and the next interval begins where the last one ended.
  assert.equal((await publish(folder, BASE, [record("a", 2), record("c")], options)).changed, false);
  assert.equal(hub.seen.length, 2);
  const source = new Source(folder, BASE, { snapshot: "never" });
  source.upsert(record("d"));
  const { written, waiting } = await source.publish();
  assert.deepEqual([written.sort(), waiting, hub.seen.length], [["changelist.xml", "notifications/changes.xml", "notifications/framework.xml"], 0, 4]);
  assert.deepEqual(announced(hub).sort(), listed(folder).sort());
  assert.equal(read(folder, "notifications/changes.xml"), hub.seen[2].body.toString());
  valid(folder);
});

test("sets have topics of their own, which another server may serve", async (context) => {
  const [folder, hub] = [place(context), await answering(context)];
  const options = { hubs: [hub.uri, hub.uri], topicsUri: "https://hub.example/t" };
  await publish(folder, BASE, { x: [record("a")], y: [record("b")] }, { ...options, at: NOTHING });
  await publish(folder, BASE, { x: [record("a", 2)], y: [record("b")] }, { ...options, at: FIRST });
  assert.deepEqual(hub.seen.map(({ topic }) => topic).sort(), ["x/changes", "x/framework", "y/framework"].map((name) => `https://hub.example/t/${name}`));
  assert.deepEqual(Object.keys(tree(folder)).filter((name) => name.includes("notifications")), []);
  await assert.rejects(publish(folder, BASE, { x: [record("a", 3)], y: [] }, { hubs: [hub.uri], maxDelete: 1 }), /topics are below https:\/\/example.com\/, but were published below https:\/\/hub.example\/t\//);
  const source = new Source(folder, BASE);
  source.upsert(record("c"), { set: "y" });
  await source.publish();
  assert.ok(hub.seen.some(({ topic }) => topic === "https://hub.example/t/y/changes"));
  valid(folder);
});

test("channels are continued, or withdrawn on request", async (context) => {
  const [folder, hub] = [place(context), await answering(context)];
  await publish(folder, BASE, [record("a")], { hubs: [hub.uri], at: NOTHING });
  await assert.rejects(publish(folder, BASE, [record("a", 2)]), (error) => error instanceof PublishError && /`hubs` is missing/.test(error.message));
  // A Source continues the hubs of earlier publications, also to compare all records.
  const source = new Source(folder, BASE);
  assert.equal((await source.reconcile([record("a", 2)], { at: FIRST })).updated, 1);
  assert.equal(announced(hub).length, 1);
  const gone = await publish(folder, BASE, [record("a", 3)], { hubs: [] });
  assert.deepEqual([gone.withdrawn.toSorted?.() ?? [...gone.withdrawn].sort(), gone.waiting], [["notifications/changes.xml", "notifications/framework.xml"], 0]);
  assert.ok(!existsSync(join(folder, "notifications")) && !read(folder, "capabilitylist.xml").includes("hub"));
  source.upsert(record("b"));
  await source.publish();
  assert.equal(announced(hub).length, 1);
  // New channels begin anew.
  await publish(folder, BASE, [record("a", 3), record("b")], { hubs: [hub.uri] });
  source.upsert(record("c"));
  await source.publish();
  assert.equal(accepted(hub).length, 2);
  valid(folder);
});

test("what a hub refuses or does not answer waits in order, and other hubs get it", async (context) => {
  const [folder, hub, other] = [place(context), await answering(context), await answering(context)];
  const options = { hubs: [hub.uri, other.uri] };
  await publish(folder, BASE, [record("a")], { ...options, at: NOTHING });
  hub.respond = ({ topic }) => (topic === CHANGES ? 403 : 200);
  const refused = await publish(folder, BASE, [record("a", 2)], { ...options, at: FIRST });
  assert.deepEqual(refused.warnings, [`${hub.uri} refused a notification of ${CHANGES}: response status 403: said by the hub`]);
  assert.equal(refused.waiting, 1);
  // Later notifications of the topic wait for it.
  const later = await publish(folder, BASE, [record("a", 3)], { ...options, at: "2024-05-03T00:00:00Z" });
  assert.deepEqual([later.waiting, later.warnings], [2, []]);
  assert.equal(hub.seen.filter(({ topic }) => topic === CHANGES).length, 1);
  assert.equal(announced(other).length, 2);
  hub.respond = () => 200;
  if (existsSync(native)) {
    // The command has the same outbox: an operator sends the refused one again.
    const child = spawn(native, ["notify", folder, ...ALLOWED(hub.uri)], { stdio: ["ignore", "ignore", "inherit"] });
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.deepEqual(announced(hub), announced(other));
    assert.equal((await publish(folder, BASE, [record("a", 3)], options)).waiting, 0);
  }
});

test("a hub that fails gets the same bytes again, at the earliest when it is due", async (context) => {
  const [folder, hub] = [place(context), await answering(context, () => 503)];
  const source = new Source(folder, BASE, { hubs: [hub.uri], snapshot: "never" });
  source.upsert(record("a"));
  await source.publish();
  source.upsert(record("a", 2));
  const failed = await source.publish();
  assert.deepEqual([failed.waiting, failed.warnings.length, hub.seen.length], [2, 2, 2]);
  assert.match(failed.warnings[0], /was not notified of .*: response status 503/);
  const again = await source.publish();
  assert.deepEqual([again.waiting, again.changed, hub.seen.length], [2, false, 2]);
  hub.respond = () => 200;
  // As if time had passed.
  writeFileSync(outbox(folder), readFileSync(outbox(folder), "utf8").replaceAll(/"next":"[^"]*"/g, '"next":"2024-05-01T00:00:00.000Z"'));
  assert.equal((await source.publish()).waiting, 0);
  const [first, second] = [hub.seen.slice(0, 2), hub.seen.slice(2)];
  assert.deepEqual(second.map(({ body }) => body), first.map(({ body }) => body));
  // Nobody is there at all.
  const nobody = new Source(place(context), BASE, { hubs: ["http://127.0.0.1:9/"] });
  for (const length of [1, 2]) {
    nobody.upsert(record("a", length));
    assert.equal((await nobody.publish()).waiting, length === 1 ? 0 : 2);
  }
});

test("notifications may be sent later, by any face, with the header fields that a hub asks for", async (context) => {
  const [folder, hub] = [place(context), await answering(context, ({ authorization }) => (authorization === "Bearer t0ken" ? 200 : 401))];
  const own = (uri, init) => fetch(uri, { ...init, headers: [...init.headers, ["Authorization", "Bearer t0ken"]] });
  await publish(folder, BASE, [record("a")], { hubs: [hub.uri], at: NOTHING });
  assert.equal((await publish(folder, BASE, [record("a", 2)], { hubs: [hub.uri], notify: "later", at: FIRST })).waiting, 2);
  assert.equal(hub.seen.length, 0);
  assert.equal((await publish(folder, BASE, [record("a", 2)], { hubs: [hub.uri], fetch: own })).waiting, 0);
  assert.equal(announced(hub).length, 1);
});

/** Waits for a condition. */
async function until(what, isThere) {
  for (const begun = Date.now(); !isThere(); await new Promise((wake) => setTimeout(wake, 10))) assert.ok(Date.now() - begun < 60_000, what);
}

test("a process that is killed while it sends has published, and the next one sends the same bytes", { skip: process.platform === "win32" }, async (context) => {
  const [folder, hub] = [place(context), await answering(context, () => undefined)];
  await publish(folder, BASE, [record("a")], { hubs: [hub.uri], at: NOTHING });
  const child = spawn(process.execPath, [CHILD, folder, BASE, "2", hub.uri], { stdio: "inherit" });
  await until("a request", () => hub.seen.length > 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(listed(folder).length, 1);
  const [{ body }] = hub.seen;
  hub.respond = () => 200;
  const next = await publish(folder, BASE, [record("a", 2)], { hubs: [hub.uri] });
  assert.deepEqual([next.changed, next.waiting], [false, 0]);
  assert.deepEqual(hub.seen.filter(({ topic, status }) => topic === CHANGES && status === 200).map((post) => post.body), [body]);
  assert.deepEqual(announced(hub), listed(folder));
});

test("what a process published before it was killed gets into the outbox afterwards, whatever publishes next", async (context) => {
  const hub = await answering(context);
  const withHub = { hubs: [hub.uri], notify: "later" };
  const ways = {
    records: (folder) => publish(folder, BASE, [record("a", 5)], withHub),
    events: (folder) => new Source(folder, BASE, { notify: "later" }).publish({ snapshot: "now" }),
    program: async (folder) => {
      const store = new SourceFolder(folder);
      store.close();
    },
    ...(existsSync(native) && { command: async (folder) => assert.equal(spawnSync(native, ["build", "--changes", "-", "--out", folder, "--notify", "later"], { input: "", stdio: ["pipe", "ignore", "ignore"] }).status, 0) }),
  };
  for (const [way, next] of Object.entries(ways)) {
    for (const [isInPlace, part] of [[false, 0], [false, 0.5], [true, 0], [true, 0.5]]) {
      const folder = place(context);
      await publish(folder, BASE, [record("a")], { ...withHub, at: NOTHING });
      const source = new Source(folder, BASE, { notify: "later", snapshot: isInPlace ? "never" : "now" });
      source.upsert(record("a", 2));
      await source.publish();
      const [payloads, own] = [readFileSync(join(state(folder), "payloads.jsonl"), "utf8"), outbox(folder)];
      assert.equal(payloads.split("\n").length - 1, 3);
      // The process was killed before the outbox had it, or in the middle of a line.
      const whole = readFileSync(own, "utf8");
      writeFileSync(own, whole.slice(0, whole.length * part));
      await next(folder);
      const kept = readFileSync(own, "utf8");
      for (const line of payloads.split("\n").slice(1, 3)) assert.ok(kept.includes(`"body":${JSON.stringify(JSON.parse(line).body)}`), `${way} ${isInPlace} ${part}`);
    }
  }
  assert.equal(hub.seen.length, 0);
});

test("a publication that failed announces nothing", async (context) => {
  const [folder, hub] = [place(context), await answering(context)];
  const source = new Source(folder, BASE, { hubs: [hub.uri], snapshot: "never", rotate: 1 });
  source.upsert(record("a"));
  await source.publish();
  source.upsert(record("b"));
  for (const snapshot of ["never", "now"]) {
    // The closed Change List cannot take its place.
    writeFileSync(join(folder, "changelist-1.xml"), "of others");
    const before = tree(folder);
    await assert.rejects(source.publish({ snapshot }), /changelist-1.xml was not published here/);
    assert.deepEqual([tree(folder), existsSync(outbox(folder)), existsSync(join(state(folder), "payloads.jsonl")), hub.seen.length], [before, false, true, 0]);
    assert.equal(readFileSync(join(state(folder), "payloads.jsonl"), "utf8").split("\n").length, 2);
    rmSync(join(folder, "changelist-1.xml"));
  }
  const done = await source.publish();
  assert.deepEqual([done.created, done.waiting], [1, 0]);
  assert.deepEqual(announced(hub), listed(folder));
  // A damaged outbox is refused before anything is published.
  writeFileSync(outbox(folder), "damaged\n");
  source.upsert(record("c"));
  const published = tree(folder);
  await assert.rejects(source.publish(), /outbox .*outbox.jsonl is damaged/);
  assert.deepEqual([tree(folder), source.pending], [published, 1]);
});

test("a topic that is published elsewhere is not replaced, and options that mean nothing are refused", async (context) => {
  const folder = place(context);
  for (const wrong of [{ hubs: "https://hub.example/" }, { hubs: ["ftp://hub.example/"] }, { hubs: [5] }, { topicsUri: "https://hub.example/" }, { hubs: [BASE], notify: "soon" }, { hubs: [BASE], fetch: 5 }]) {
    await assert.rejects(publish(folder, BASE, [record("a")], wrong), OptionError, JSON.stringify(wrong));
    assert.throws(() => new Source(folder, BASE, wrong), OptionError, JSON.stringify(wrong));
  }
  assert.ok(!existsSync(folder));
  await publish(folder, BASE, [record("a")]);
  mkdirSync(join(folder, "notifications"));
  writeFileSync(join(folder, "notifications/changes.xml"), "of others");
  await assert.rejects(publish(folder, BASE, [record("a", 2)], { hubs: [new URL("https://hub.example/")] }), /was not published here/);
});

test("a hub of this package delivers what was published to its subscribers", async (context) => {
  const [folder, received, events] = [place(context), [], []];
  const [stop, server] = [new AbortController(), createServer()];
  context.after(() => (stop.abort(), server.close(), server.closeAllConnections()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const uri = `http://127.0.0.1:${server.address().port}/`;
  const topics = ["change", "framework"].map((kind) => ({ uri: kind === "change" ? CHANGES : FRAMEWORK, kind: `${kind}-notification`, publishers: ["site"] }));
  const hub = new Hub({ publicUri: uri, topics, publishers: [{ name: "site", tokenSha256: createHash("sha256").update("t0ken").digest("hex") }], allow: [new URL(uri).host] });
  const send = async ({ uri, body }) => {
    const challenge = new URL(uri).searchParams.get("hub.challenge");
    if (challenge === null) received.push(Buffer.from(body));
    return { status: 200, body: Buffer.from(challenge ?? "") };
  };
  const driver = new HubDriver(hub, { keep: async () => {}, send, onEvent: (event) => events.push(event), signal: stop.signal });
  server.on("request", (request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", async () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      const { status, body } = await driver.answer("127.0.0.1", { method: request.method, path: request.url, headers, body: Buffer.concat(parts) });
      response.writeHead(status).end(body);
    });
  });
  const subscription = new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": CHANGES, "hub.callback": "https://me.example/callback" });
  assert.equal((await fetch(uri, { method: "POST", body: subscription })).status, 202);
  await driver.idle();
  const own = (uri, init) => fetch(uri, { ...init, headers: [...init.headers, ["Authorization", "Bearer t0ken"]] });
  const source = new Source(folder, BASE, { hubs: [uri], fetch: own, snapshot: "never" });
  for (let number = 0; number < 4; number++) {
    source.upsert(record("a", number));
    assert.deepEqual(await source.publish().then(({ waiting, warnings }) => [waiting, warnings]), [0, []]);
  }
  await driver.idle();
  assert.deepEqual(received.flatMap((body) => readNotification(body, "change-notification").changes.map(({ length }) => length)), [1, 2, 3]);
  assert.deepEqual(events.filter(({ kind }) => kind === "found"), []);
});

/** A face publishes all records, or the records as events. */
const faces = {
  npm: (folder, records, hub, at) => publish(folder, BASE, records, { hubs: [hub], at, maxDelete: "100%" }),
  source: async (folder, records, hub, at, gone) => {
    const source = new Source(folder, BASE, { snapshot: "never" });
    for (const one of records) source.upsert(one);
    for (const one of gone) source.delete(one.uri);
    const { waiting, warnings } = await source.publish({ at });
    assert.deepEqual([waiting, warnings], [0, []]);
  },
  ...(existsSync(native) && {
    async command(folder, records, hub, at) {
      const rows = ["uri,length", ...records.map(({ uri, length }) => `${uri},${length}`), ""].join("\n");
      const child = spawn(native, ["build", "--from-csv", "-", "--base-uri", BASE, "--out", folder, "--hub", hub, "--at", at, "--max-delete", "100%", ...ALLOWED(hub)], { stdio: ["pipe", "ignore", "inherit"] });
      child.stdin.end(rows);
      assert.deepEqual(await once(child, "exit"), [0, null]);
    },
    async changes(folder, records, hub, at, gone) {
      const rows = ["change,uri,length", ...records.map(({ uri, length }) => `upsert,${uri},${length}`), ...gone.map(({ uri }) => `deleted,${uri},`), ""].join("\n");
      const child = spawn(native, ["build", "--changes", "-", "--out", folder, "--snapshot", "never", "--at", at, ...ALLOWED(hub)], { stdio: ["pipe", "ignore", "inherit"] });
      child.stdin.end(rows);
      assert.deepEqual(await once(child, "exit"), [0, null]);
    },
  }),
  ...(python && {
    async python(folder, records, hub, at) {
      const program = "import json, sys\nimport resourcesync as rs\nfolder, base, hub, at, records = json.loads(sys.argv[1])\nrs.publish(folder, base, [rs.Resource(one['uri'], length=one['length']) for one in records], hubs=[hub], at=at, max_delete='100%')";
      const child = spawn(python, ["-c", program, JSON.stringify([folder, BASE, hub, at, records])], { stdio: ["ignore", "ignore", "inherit"] });
      assert.deepEqual(await once(child, "exit"), [0, null]);
    },
  }),
};

test(`${Object.keys(faces).join(", ")} continue each other's channels in any order`, async (context) => {
  const names = Object.keys(faces);
  for (const [one, first] of names.entries()) {
    for (const [two, second] of names.entries()) {
      if (["source", "changes"].includes(first) || one === two) continue;
      const [folder, hub] = [place(context), await answering(context)];
      const third = names[(one + two) % names.length];
      let before = [];
      const order = [first, second, third, second, first];
      for (const [number, face] of order.entries()) {
        const records = [record("a", number), ...(number % 2 === 0 ? [record("b")] : [record("c", number)])];
        const gone = before.filter(({ uri }) => !records.some((own) => own.uri === uri));
        await faces[face](folder, records, hub.uri, `2024-05-0${number + 1}T00:00:00Z`, gone);
        before = records;
      }
      assert.deepEqual(announced(hub).sort(), listed(folder).sort(), order.join(" "));
      assert.equal(accepted(hub).length, 4, order.join(" "));
      assert.equal(read(folder, "notifications/changes.xml"), accepted(hub).at(-1).body.toString());
      const { sets } = JSON.parse(read(state(folder), "state.json"));
      assert.ok(sets[""].notified, order.join(" "));
      valid(folder);
    }
  }
});

test("the documents are those that the command writes for the same options", { skip: !existsSync(native) }, async (context) => {
  const hubs = ["https://hub.example/", "https://other.example/"];
  for (const topicsUri of [undefined, "https://hub.example/t/"]) {
    const [own, other] = [place(context), place(context)];
    const args = ["--base-uri", BASE, ...hubs.flatMap((hub) => ["--hub", hub]), ...(topicsUri ? ["--topics-uri", topicsUri] : []), "--notify", "later", "--out", other];
    const command = (rows, ...more) => assert.equal(spawnSync(native, ["build", ...args, ...more], { input: rows, stdio: ["pipe", "ignore", "ignore"] }).status, 0);
    const options = { hubs, topicsUri, notify: "later" };
    const same = () => {
      const [mine, theirs] = [own, other].map((folder) => [tree(folder), read(state(folder), "payloads.jsonl"), existsSync(outbox(folder)) && read(folder, "../public.resourcesync/outbox.jsonl")]);
      assert.deepEqual(mine, theirs);
    };
    await publish(own, BASE, [record("a"), record("b")], { ...options, at: NOTHING });
    command(`uri,length\n${BASE}a,1\n${BASE}b,1\n`, "--from-csv", "-", "--at", NOTHING);
    same();
    await publish(own, BASE, [record("a", 2), record("c")], { ...options, at: FIRST });
    command(`uri,length\n${BASE}a,2\n${BASE}c,1\n`, "--from-csv", "-", "--at", FIRST);
    same();
    for (const [number, rotate] of [[3, 1000], [4, 1], [5, 1000]]) {
      const at = `2024-05-0${number}T00:00:00Z`;
      const source = new Source(own, BASE, { ...options, snapshot: "never", rotate });
      source.upsert(record("a", number));
      await source.publish({ at });
      command(`change,uri,length\nupsert,${BASE}a,${number}\n`, "--changes", "-", "--snapshot", "never", "--at", at, "--rotate", String(rotate));
      same();
    }
    await publish(own, BASE, [record("a")], { hubs: [], at: "2024-05-06T00:00:00Z" });
    assert.equal(spawnSync(native, ["build", "--from-csv", "-", "--base-uri", BASE, "--no-hub", "--out", other, "--at", "2024-05-06T00:00:00Z"], { input: `uri,length\n${BASE}a,1\n`, stdio: ["pipe", "ignore", "inherit"] }).status, 0);
    assert.deepEqual(tree(own), tree(other));
  }
});
