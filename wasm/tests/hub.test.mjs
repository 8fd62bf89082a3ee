/** The hub: the transcripts that Rust and Python run too, and the hub behind Express and behind `fetch`. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { Hub, HubDriver, OptionError } from "resourcesync/hub";
import { sign } from "resourcesync/notify";

import { root } from "./cases.mjs";

const corpus = join(root, "tests/corpus/notify");
const payloads = new Map(readdirSync(join(corpus, "payloads")).map((name) => [name.replace(".xml", ""), readFileSync(join(corpus, "payloads", name))]));
const names = new Map([...payloads].map(([name, bytes]) => [bytes.toString(), name]));
const HUB = "https://hub.example/";
const TOPIC = "https://hub.example/t/changes";
const NOW = Date.parse("2026-11-21T09:00:00Z");

/** A hub whose state machine takes single inputs. */
class Steps extends Hub {
  step(input, random) {
    return super.step(input, random);
  }
}

class Player {
  state = {};
  now = 0;
  counter = 0;
  challenge = "";
  constructor(line) {
    this.options = JSON.parse(line.slice(line.indexOf(" ") + 1));
    this.restart();
  }
  random = (array) => array.forEach((_, at) => (array[at] = this.counter++ % 256));
  restart() {
    this.machine = new Steps({ ...this.options, state: this.state, clock: () => this.now, random: this.random });
  }
  /** Replaces the names of payloads, signatures and the last challenge by their values. */
  expanded(value) {
    if (typeof value === "string" && value.startsWith("@")) {
      const [name, ...words] = value.slice(1).split(" ");
      if (name === "challenge") return this.challenge + words.join(" ");
      return name === "sign" ? sign(words[0], Buffer.from(words[1]), payloads.get(words[2])) : payloads.get(name).toString();
    }
    if (Array.isArray(value)) return value.map((each) => this.expanded(each));
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.expanded(each)]));
    return value;
  }
  /** The outputs, without the rows that were kept. */
  take(input, isKept = true) {
    const outputs = this.machine.step(this.expanded(input), this.random);
    const shown = [];
    const state = { ...this.state };
    for (let at = 0; at < outputs.length; at += 2) {
      const output = JSON.parse(outputs[at]);
      if (output.keep) {
        if (output.keep.value == null) delete state[output.keep.key];
        else state[output.keep.key] = output.keep.value;
        continue;
      }
      const [said] = Object.values(output);
      const body = outputs[at + 1] && Buffer.from(outputs[at + 1]).toString();
      if (body) said.body = names.has(body) ? `@${names.get(body)}` : body;
      if (output.send?.uri.includes("hub.challenge=")) this.challenge = output.send.uri.split("hub.challenge=")[1].split("&")[0];
      shown.push(output);
    }
    if (isKept) this.state = state;
    return shown;
  }
}

for (const name of readdirSync(join(corpus, "hub"))) {
  test(`${name} comes out as it is written`, () => {
    let player, came = [], line = "";
    for (const each of readFileSync(join(corpus, "hub", name), "utf8").split("\n")) {
      const [word, rest] = [each.split(" ")[0], each.slice(each.indexOf(" ") + 1)];
      if (word === "out") {
        assert.deepEqual(came.shift(), JSON.parse(rest), line);
        continue;
      }
      assert.deepEqual(came, [], line);
      if (word === "machine") player = new Player(rest);
      if (word === "at") player.now = Date.parse(rest);
      if (word === "restart") player.restart();
      if (word === "crash") {
        player.take(JSON.parse(rest), false);
        player.restart();
      }
      if (word === "in") [line, came] = [each, player.take(JSON.parse(rest))];
    }
    assert.deepEqual(came, [], line);
  });
}

const hubOf = (more) => new Hub({ publicUri: HUB, topics: [{ uri: TOPIC, kind: "change-notification", publishers: ["example"], serve: true }], publishers: [{ name: "example", hmac: "s3cret" }], clock: () => NOW, ...more });

function submitted(name) {
  const body = payloads.get(name);
  const headers = [["Content-Type", "application/xml"], ["Link", `<${TOPIC}>; rel="self", <${HUB}>; rel="hub"`], ["X-Hub-Signature", sign("sha256", Buffer.from("s3cret"), body)]];
  return { method: "POST", path: "/", headers, body };
}

function subscription(callback) {
  const body = Buffer.from(new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": TOPIC, "hub.callback": callback }).toString());
  return { method: "POST", path: "/", headers: [["Content-Type", "application/x-www-form-urlencoded"]], body };
}

function subscribed(hub, callback) {
  const { requests } = hub.answerSync("198.51.100.7", subscription(callback));
  hub.responded(requests[0], { status: 200, body: Buffer.from(new URL(requests[0].uri).searchParams.get("hub.challenge")) });
}

test("a hub delivers in order, and continues from its state", () => {
  const hub = hubOf();
  subscribed(hub, "https://me.example/1");
  const first = hub.answerSync("203.0.113.5", submitted("changes-1"));
  assert.equal(first.reply.status, 200);
  assert.deepEqual(first.requests.map(({ uri, body, purpose }) => [uri, Buffer.from(body), purpose]), [["https://me.example/1", payloads.get("changes-1"), "delivery"]]);
  // The second payload waits for the first, which a process that ended never finished.
  assert.deepEqual(hub.answerSync("203.0.113.5", submitted("changes-2")).requests, []);
  const again = hubOf({ state: JSON.parse(JSON.stringify(hub.state)) });
  const received = [];
  for (let { requests } = again.tick(); requests.length > 0; ) {
    received.push(...requests.map(({ body }) => Buffer.from(body)));
    const turn = again.responded(requests[0], { status: 204 });
    assert.deepEqual(turn.events.map(({ kind }) => kind), ["delivered"]);
    ({ requests } = turn);
  }
  assert.deepEqual(received, [payloads.get("changes-1"), payloads.get("changes-2")]);
});

test("orders return what they concerned", () => {
  const hub = hubOf();
  subscribed(hub, "https://me.example/1");
  const count = ({ events }) => events.find(({ kind }) => kind === "ordered").count;
  assert.equal(count(hub.replay(1, { subscription: 99 })), null);
  assert.equal(count(hub.pause()), 1);
  assert.deepEqual(hub.answerSync("203.0.113.5", submitted("changes-1")).requests, []);
  const { requests } = hub.resume(TOPIC);
  assert.deepEqual(requests.map(({ purpose }) => purpose), ["delivery"]);
  hub.responded(requests[0], { status: 200 });
  assert.deepEqual(hub.replay(1, { topic: TOPIC }).requests.map(({ body }) => Buffer.from(body)), [payloads.get("changes-1")]);
  const denied = hub.deny({ host: "me.example:443" }, "too slow");
  assert.deepEqual([count(denied), denied.requests.map(({ purpose }) => purpose)], [1, ["denial"]]);
  assert.deepEqual(hub.allow("me.example:443").keep, { "denied:me.example:443": null });
  assert.equal(count(hub.prune(new Date(NOW + 86_400_000))), 0);
});

test("a callback that may have received a verification is not asked again, unless it has a subscription", () => {
  const asked = (sent) => {
    let now = NOW;
    const hub = hubOf({ clock: () => now });
    const { requests } = hub.answerSync("198.51.100.7", subscription("https://me.example/1"));
    hub.failed(requests[0], "reset", { sent });
    now += 60_000;
    return hub.tick().requests.length;
  };
  assert.deepEqual([asked(undefined), asked(true), asked(false)], [0, 0, 1]);
});

test("a hub allows public addresses and what the application allowed", () => {
  const hub = hubOf({ allow: ["10.1.0.0/16"] });
  assert.ok(hub.allows("https://me.example/", "93.184.215.14") && hub.allows("https://me.example/", "10.1.2.3"));
  for (const address of ["127.0.0.1", "::ffff:7f00:1", "169.254.169.254", "10.2.0.1", "nonsense"]) assert.ok(!hub.allows("https://me.example/", address), address);
  assert.throws(() => new Hub({ publicUri: "ftp://hub.example/", topics: [], publishers: [] }), OptionError);
  assert.throws(() => hubOf({ typo: 1 }), OptionError);
  for (const options of [undefined, {}, { keep: new Map() }]) assert.throws(() => new HubDriver(hub, options), OptionError);
});

test("a hub answers the Request of fetch", async () => {
  const hub = hubOf();
  const { method, path, headers, body } = submitted("changes-1");
  const accepted = await hub.answer("203.0.113.5", new Request(`https://hub.example${path}`, { method, headers, body }));
  assert.equal(accepted.reply.status, 200);
  assert.ok(Object.keys(accepted.keep).includes("payload:1:1"));
  const topic = await hub.answer("203.0.113.5", new Request(TOPIC));
  assert.deepEqual(Buffer.from(await topic.reply.arrayBuffer()), payloads.get("changes-1"));
  const head = await hub.answer("203.0.113.5", new Request(TOPIC, { method: "HEAD" }));
  assert.deepEqual([head.reply.status, head.reply.headers.get("content-type")], [200, "application/xml"]);
  const long = await hub.answer("203.0.113.5", new Request(HUB, { method: "POST", headers, body: Buffer.alloc((8 << 20) + 1) }));
  assert.equal(long.reply.status, 413);
});

/** Stops a driver at the end of a test. */
function stopping(t) {
  const stop = new AbortController();
  t.after(() => stop.abort());
  return stop;
}

/** Rows in memory that can be stopped and broken. */
class Store {
  rows = new Map();
  log = [];
  broken = false;
  gate = Promise.resolve();
  load = async () => Object.fromEntries(this.rows);
  save = async (values) => {
    await this.gate;
    if (this.broken) throw new Error("disk full");
    this.log.push(Object.keys(values));
    for (const [key, value] of Object.entries(values)) value === null ? this.rows.delete(key) : this.rows.set(key, JSON.parse(JSON.stringify(value)));
  };
}

test("a driver stores first, several turns at once, and sends afterwards", async (t) => {
  const [store, stop, sent, events] = [new Store(), stopping(t), [], []];
  const hub = hubOf();
  subscribed(hub, "https://me.example/1");
  await store.save(hub.state);
  const send = async ({ body }) => (sent.push(Buffer.from(body)), { status: 204 });
  const driver = new HubDriver(hub, { keep: store.save, send, onEvent: ({ kind }) => logged(kind), signal: stop.signal });
  // A log that fails ends nothing.
  const logged = (kind) => {
    events.push(kind);
    if (kind === "delivered") return Promise.reject(new Error("no log"));
    throw new Error("no log");
  };
  await driver.idle();
  let open;
  store.gate = new Promise((resolve) => (open = resolve));
  const calls = store.log.length;
  const replies = ["changes-1", "changes-2", "changes-3"].map((name) => driver.answer("203.0.113.5", submitted(name)));
  await new Promise(setImmediate);
  assert.deepEqual([store.log.length - calls, sent], [0, []]);
  open();
  for (const { status } of await Promise.all(replies)) assert.equal(status, 200);
  assert.ok(store.log.length - calls <= 2, `${store.log.length - calls} calls of keep`);
  await driver.idle();
  assert.deepEqual(sent, ["changes-1", "changes-2", "changes-3"].map((name) => payloads.get(name)));
  assert.deepEqual(await store.load(), hub.state);
  assert.deepEqual(events, ["accepted", "accepted", "accepted", "delivered", "delivered", "delivered"]);
  stop.abort(new Error("stopped"));
  await assert.rejects(driver.answer("203.0.113.5", submitted("changes-1")), /stopped/);
  await assert.rejects(driver.perform(hub.pause()), /stopped/);
});

test("what could not be stored is neither confirmed nor sent, and stored with the next turn", async (t) => {
  const [store, stop, sent] = [new Store(), stopping(t), []];
  const hub = hubOf();
  subscribed(hub, "https://me.example/1");
  const driver = new HubDriver(hub, { keep: store.save, send: async ({ body }) => (sent.push(Buffer.from(body)), { status: 204 }), signal: stop.signal });
  await driver.idle();
  store.broken = true;
  await assert.rejects(driver.answer("203.0.113.5", submitted("changes-1")), /disk full/);
  await driver.idle();
  assert.deepEqual([sent, store.rows.has("payload:1:1")], [[], false]);
  store.broken = false;
  // The Source repeats it: it is known, and on disk before the reply.
  assert.equal((await driver.answer("203.0.113.5", submitted("changes-1"))).status, 200);
  assert.ok(store.rows.has("payload:1:1"));
  await driver.idle();
  assert.deepEqual(sent, [payloads.get("changes-1")]);
});

test("a hub in Express delivers to allowed addresses only, and continues from its store", async () => {
  const { hub } = await import("../examples/hub/express.mjs");
  const received = [];
  let broken = false;
  const callback = createServer((request, response) => {
    const { searchParams } = new URL(request.url, "http://me");
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      assert.match(request.headers["user-agent"], /^resourcesync\/\d/);
      if (request.method === "POST") received.push({ url: request.url, host: request.headers.host, broken, body: Buffer.concat(parts) });
      if (broken) response.statusCode = 500;
      response.end(searchParams.get("hub.challenge"));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => callback.once("listening", listening));
  const { port } = callback.address();
  const store = new Store();
  const token = createHash("sha256").update("t0ken").digest("hex");
  const options = { store, publicUri: HUB, token, allow: [`127.0.0.1:${port}`] };
  const started = async () => {
    const [stop, events] = [new AbortController(), []];
    const { app, own, driver } = await hub({ ...options, signal: stop.signal, log: (event) => events.push(event) });
    const server = createServer(app).listen(0, "127.0.0.1");
    await new Promise((listening) => server.once("listening", listening));
    const end = () => (stop.abort(), server.close(), server.closeAllConnections());
    return { base: `http://127.0.0.1:${server.address().port}`, own, driver, events, end };
  };
  const publish = async ({ base, driver }, name) => {
    const { headers, body } = submitted(name);
    const { status } = await fetch(base, { method: "POST", headers: [...headers.slice(0, 2), ["Authorization", "Bearer t0ken"]], body });
    await driver.idle();
    return status;
  };
  let one = await started();
  try {
    const asked = `http://127.0.0.1:${port}/a/../%7eme?x=1`;
    for (const [uri, expected] of [[asked, 202], [`http://localhost:${port}/`, 403], ["http://localhost:8080/", 202]]) {
      const { status } = await fetch(one.base, { method: "POST", body: new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": TOPIC, "hub.callback": uri }) });
      assert.equal(status, expected, uri);
    }
    await one.driver.idle();
    await new Promise(setImmediate);
    // A name that leads to an address that is not allowed receives nothing.
    assert.deepEqual([...store.rows.values()].filter((row) => row.callback).map(({ callback }) => callback).filter((uri) => uri === asked), [asked]);
    assert.equal(await publish(one, "changes-1"), 200);
    assert.deepEqual(received, [{ url: "/a/../%7eme?x=1", host: `127.0.0.1:${port}`, broken: false, body: payloads.get("changes-1") }]);
    assert.deepEqual(Buffer.from(await (await fetch(`${one.base}/t/changes`)).arrayBuffer()), payloads.get("changes-1"));
    store.broken = true;
    assert.equal(await publish(one, "changes-2"), 503);
    store.broken = false;
    broken = true;
    assert.equal(await publish(one, "changes-2"), 200);
    // The process ends before the delivery succeeded.
    one.end();
    broken = false;
    one = await started();
    await one.driver.perform(one.own.replay(1, { topic: TOPIC }));
    await one.driver.idle();
    assert.deepEqual(received.slice(1).map(({ broken, body }) => [broken, names.get(body.toString())]), [[true, "changes-2"], [false, "changes-1"], [false, "changes-2"]]);
  } finally {
    one.end();
    callback.close();
    callback.closeAllConnections();
  }
});
