/** Notifications: the transcripts that Rust and Python run too, also by the callback behind Express and behind `fetch`. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import * as rs from "resourcesync/notify";

import { root } from "./cases.mjs";

const corpus = join(root, "tests/corpus/notify");
const payloads = new Map(readdirSync(join(corpus, "payloads")).map((name) => [name.replace(".xml", ""), readFileSync(join(corpus, "payloads", name))]));
const names = new Map([...payloads].map(([name, bytes]) => [bytes.toString(), name]));
const bytes = (value) => (typeof value === "string" ? Buffer.from(value) : Buffer.from(value.hex, "hex"));
const contracted = (text) => (names.has(text) ? `@${names.get(text)}` : text);
const CALLBACK = "https://me.example/rs/";
const NOW = Date.parse("2026-11-21T09:00:00Z");

/** Replaces the names of payloads and signatures by their values. */
function expanded(value) {
  if (typeof value === "string" && value.startsWith("@")) {
    const [name, algorithm, secret, payload] = value.slice(1).split(" ");
    return name === "sign" ? rs.sign(algorithm, Buffer.from(secret), payloads.get(payload)) : payloads.get(name).toString();
  }
  if (Array.isArray(value)) return value.map(expanded);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, expanded(each)]));
  return value;
}

/** As transcripts write it: reports by their codes, what was kept by its name, payloads by theirs. */
function shown(value) {
  if (value instanceof Uint8Array) return contracted(Buffer.from(value).toString());
  if (typeof value === "string") return contracted(value);
  if (Array.isArray(value)) return value.map(shown);
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, name === "report" ? each.diagnostics.map((found) => found.code) : shown(each)]));
}

/** Outputs by the parts of a turn, each part in order. */
function parts(outputs) {
  const of = (kind) => outputs.filter((output) => Object.keys(output)[0] === kind);
  const events = outputs.filter((output) => !["keep", "send", "reply", "wait"].includes(Object.keys(output)[0]));
  return { keep: of("keep"), send: of("send"), reply: of("reply"), events, wait: of("wait") };
}

class Player {
  state = {};
  now = 0;
  counter = 0;
  constructor(line) {
    const [kind, options] = [line.split(" ")[0], line.slice(line.indexOf(" ") + 1)];
    this.kind = kind;
    this.options = line.includes(" ") ? JSON.parse(options) : {};
    this.restart();
  }
  restart() {
    const around = { state: this.state, clock: () => this.now, random: (array) => array.forEach((_, at) => (array[at] = this.counter++ % 256)) };
    if (this.kind === "publisher") this.machine = new rs.Publisher({ ...this.options, ...around });
    if (this.kind === "listener") this.machine = new rs.Listener({ ...this.options.subscriber, copy: this.options.copy ?? null, ...around });
    if (this.kind === "subscriber") this.machine = new rs.Subscriber({ ...this.options, ...around });
  }
  /** The outputs of a turn as transcripts have them; those of one kind in order. */
  take(input) {
    const [[name, said]] = Object.entries(input);
    if (!this.machine) return [verb(name, said)];
    let turn;
    try {
      turn = this.call(name, said);
    } catch (error) {
      if (!(error instanceof rs.RefusedError)) throw error;
      return [{ rejected: { report: error.diagnostic.code } }];
    }
    for (const [key, value] of Object.entries(turn.keep)) {
      if (value === null) delete this.kept[key];
      else this.kept[key] = value;
    }
    const outputs = Object.entries(turn.keep).map(([key, value]) => ({ keep: value === null ? { key, value: null } : { key } }));
    for (const { body, headers, ...request } of turn.requests) outputs.push({ send: { ...request, ...(headers.length > 0 && { headers }), ...(body.length > 0 && { body: shown(body) }) } });
    if (turn.reply) {
      const { body, ...reply } = turn.reply;
      outputs.push({ reply: { id: said.id, ...reply, ...(body.length > 0 && { body: shown(body) }) } });
    }
    for (const { kind, announces, notification, ...event } of turn.events) {
      outputs.push({ [kind]: shown({ ...event, ...(announces && { kind: announces }), ...notification }) });
    }
    if (turn.waitUntil) outputs.push({ wait: { until: turn.waitUntil.toISOString().replace(".000Z", "Z") } });
    return outputs;
  }
  kept = this.state;
  call(name, said) {
    const { machine } = this;
    const body = said.body === undefined ? undefined : bytes(said.body);
    switch (name) {
      case "publish":
        return machine.publish(said.topic, body ?? new Uint8Array(), said.kind);
      case "answered":
        return machine.responded(said.id, { ...said, body });
      case "failed":
        return machine.failed(said.id, said.reason);
      case "request":
        return machine.answerSync({ ...said, body });
      case "pulled":
        return machine.pulled(said.set, said.isNews);
      case "stop":
        return machine.stop(said.uris);
      case "ran":
        return machine.ran(said.result);
      case "follow":
        return said.uris ? machine.follow(said.uris, said) : machine.follow(said.uri);
      case "unfollow":
        return machine[name](said.uri);
      case "rotate":
        return machine.rotate(said.channel);
      case "retry":
      case "discard":
        return machine[name](said.payload);
      default:
        return machine.tick();
    }
  }
}

/** A function without a state machine. */
function verb(name, said) {
  const text = (one) => Buffer.from(one ?? "");
  const made = (make) => {
    try {
      return { payloads: make().map(shown) };
    } catch (error) {
      return { refused: error.message };
    }
  };
  switch (name) {
    case "sign":
      return { signature: rs.sign(said.algorithm, text(said.secret), text(said.body)) };
    case "verify":
      return { verified: rs.verifySignature(text(said.secret), said.headers, text(said.body)) ?? rs.signatureError(text(said.secret), said.headers, text(said.body)) };
    case "read": {
      const { body, ...read } = rs.readNotification(text(said.body), said.kind);
      assert.equal(Buffer.from(body).toString(), said.body);
      return { read: shown(read) };
    }
    case "announce":
      return made(() => rs.announce(said.changes, said.from, said.until, said.options));
    case "announceDocuments":
      return made(() => rs.announceDocuments(said.before, said.after, said.datetime, said.options));
    default: {
      const { body, ...reply } = rs.topicReply(said.topic, said.method, { ifNoneMatch: said.ifNoneMatch, last: said.last === undefined ? undefined : text(said.last) });
      return { reply: { id: 0, ...reply, ...(body.length > 0 && { body: shown(body) }) } };
    }
  }
}

/** What was written about one input, as what a turn shows of it: of several values of one name the last counts, and the last moment. */
function written(outputs) {
  const keeps = new Map(outputs.filter((output) => output.keep).map((output) => [output.keep.key, output]));
  return [...keeps.values(), ...outputs.filter((output) => !output.keep && !output.wait), ...outputs.filter((output) => output.wait).slice(-1)];
}

/** An exception has one finding, without its place. */
function comparable(output) {
  if (typeof output.refused === "string") return { refused: output.refused.split(", entry ")[0].replace(/\)$/, "") };
  if (output.rejected) return { rejected: [output.rejected.report].flat()[0] };
  return output;
}

const transcripts = [...readdirSync(corpus), ...readdirSync(join(corpus, "listener")).map((name) => join("listener", name))];
for (const name of transcripts.filter((name) => name.endsWith(".transcript"))) {
  test(`${name} comes out as it is written`, () => {
    let player, came, expected = [], line = "";
    const settle = () => {
      if (came) assert.deepEqual(parts(came.map(comparable)), parts(written(expected).map(comparable)), line);
      [came, expected] = [undefined, []];
    };
    for (const each of readFileSync(join(corpus, name), "utf8").split("\n")) {
      const [word, rest] = [each.split(" ")[0], each.slice(each.indexOf(" ") + 1)];
      if (word === "out") expected.push(JSON.parse(rest));
      else settle();
      if (word === "machine") player = new Player(rest);
      if (word === "at") player.now = Date.parse(rest);
      if (word === "restart") {
        if (each.includes(" ")) player.options = JSON.parse(rest);
        player.restart();
      }
      if (word === "crash") {
        const state = { ...player.state };
        player.take(expanded(JSON.parse(rest)));
        player.kept = player.state = state;
        player.restart();
      }
      if (word === "in") [line, came] = [each, player.take(expanded(JSON.parse(rest)))];
    }
    settle();
  });
}

test("what is neither text nor bytes is refused, and nothing else ends by it", () => {
  const key = Buffer.from("secret");
  const machine = new rs.Subscriber({ callback: "https://me.example/rs/" });
  const forged = `sha256=${createHmac("sha256", Buffer.alloc(6)).update("body").digest("hex")}`;
  for (const wrong of ["secret", 5, null, [1, 2], key.buffer, new Float64Array(1)]) {
    assert.throws(() => rs.sign("sha256", wrong, key), rs.OptionError);
    assert.throws(() => rs.verifySignature(wrong, forged, Buffer.from("body")), rs.OptionError);
    assert.throws(() => rs.readNotification(wrong), rs.OptionError);
  }
  for (const wrong of [5, null, key, {}]) assert.throws(() => rs.sign(wrong, key, key), rs.OptionError);
  assert.ok(machine.follow("https://example.com/capabilitylist.xml"));
});

test("signatures are those of node", () => {
  for (const algorithm of ["sha1", "sha256", "sha384", "sha512"]) {
    for (const [secret, body] of [["k", ""], ["k".repeat(300), "x".repeat(10_000)]]) {
      const own = `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
      assert.equal(rs.sign(algorithm, Buffer.from(secret), Buffer.from(body)), own);
      assert.equal(rs.verifySignature(Buffer.from(secret), own, Buffer.from(body), [algorithm]), algorithm);
      assert.equal(rs.verifySignature(Buffer.from(secret), own, Buffer.from(`${body}x`), [algorithm]), undefined);
    }
  }
});

/** The transcript of a callback: the state before the first request, the time, and the requests with their replies. */
function callbackTranscript() {
  const exchanges = [];
  let player, before;
  for (const each of readFileSync(join(corpus, "S-19-callback.transcript"), "utf8").split("\n")) {
    const [word, rest] = [each.split(" ")[0], each.slice(each.indexOf(" ") + 1)];
    if (word === "machine") player = new Player(rest);
    if (word === "at") player.now = Date.parse(rest);
    const said = ["in", "out"].includes(word) ? JSON.parse(rest) : {};
    if (said.request) before ??= structuredClone(player.state);
    if (said.request) exchanges.push({ request: expanded(said).request });
    else if (word === "in") player.take(expanded(said));
    if (said.reply) exchanges.at(-1).reply = said.reply;
  }
  assert.ok(exchanges.length > 8 && exchanges.every(({ request, reply }) => request.id === reply.id));
  return { state: before, now: player.now, exchanges };
}

/** Header fields that servers and clients add to every response. */
const TRANSPORT = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

/** Holds the replies of a server to be those of the transcript: status, header fields, and the body byte for byte. */
async function repliesAsWritten(ask, exchanges) {
  for (const { request, reply } of exchanges) {
    const { id, method, path, query, headers = [], body } = request;
    const response = await ask(`${path}${query === undefined ? "" : `?${query}`}`, { method, headers, ...(body !== undefined && { body }) });
    const fields = [...response.headers].filter(([name]) => !TRANSPORT.includes(name)).sort();
    const expected = reply.headers.map(([name, value]) => [name.toLowerCase(), value]).sort();
    assert.deepEqual([response.status, fields], [reply.status, expected], `request ${id}`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from(reply.body ?? ""), `request ${id}`);
  }
}

/** Asserts that a server passes on a long delivery: without a signature it is the subscriber that rejects it, unless it is too long. */
async function acceptsMegabytes(ask, [{ request }]) {
  for (const [size, status] of [[3_000_000, 403], [8 * 1024 * 1024, 403], [8 * 1024 * 1024 + 1, 413]]) {
    const response = await ask(request.path, { method: "POST", headers: { "Content-Type": "application/xml" }, body: Buffer.alloc(size, "x") });
    assert.equal(response.status, status, `${size} bytes`);
    await response.arrayBuffer();
  }
}

test("a callback behind Express replies as the transcript says", async () => {
  const { callback } = await import("../examples/callback/express.mjs");
  const { state, now, exchanges } = callbackTranscript();
  const store = new Map(Object.entries(state));
  const events = [];
  const app = callback({ store, queue: (event) => events.push(event.kind), clock: () => now, callback: CALLBACK });
  const server = createServer(app).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  try {
    const base = `http://127.0.0.1:${server.address().port}`;
    await repliesAsWritten((target, init) => fetch(base + target, init), exchanges);
    await acceptsMegabytes((target, init) => fetch(base + target, init), exchanges);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  assert.deepEqual(events.filter((kind) => kind === "pull" || kind === "notified"), ["pull", "notified", "pull"]);
});

test("a callback behind fetch, as in Workers, replies as the transcript says", async () => {
  const { Callback } = await import("../examples/callback/worker.mjs");
  const { state, now, exchanges } = callbackTranscript();
  const values = new Map(Object.entries(state));
  const queued = [];
  // The environment of a Durable Object.
  const storage = {
    list: async () => new Map(values),
    transaction: async (work) => work({ put: async (key, value) => values.set(key, value), delete: async (key) => values.delete(key) }),
  };
  const object = new Callback({ storage }, { CALLBACK, QUEUE: { send: async (event) => queued.push(event.kind) }, CLOCK: () => now });
  const ask = (target, init) => object.fetch(new Request(`https://me.example${target}`, init));
  await repliesAsWritten(ask, exchanges);
  await acceptsMegabytes(ask, exchanges);
  assert.deepEqual(queued.filter((kind) => kind === "pull" || kind === "notified"), ["pull", "notified", "pull"]);
});

test("the reply to a delivery does not depend on the pieces of its body", async () => {
  const { state, now, exchanges } = callbackTranscript();
  const of = (wanted) => exchanges.find(({ request }) => request.id === wanted).request;
  const { method, path, headers, body } = of(105);
  const content = Buffer.from(body);
  const ask = async (pull, options) => {
    const subscriber = new rs.Subscriber({ callback: CALLBACK, state, clock: () => now, ...options });
    subscriber.answerSync(of(101));
    const request = new Request(`https://me.example${path}`, { method, headers, body: new ReadableStream({ pull }), duplex: "half" });
    const { reply, events } = await subscriber.answer(request);
    return [reply.status, events.filter(({ kind }) => kind === "notified").length];
  };
  const inPieces = (size, at = 0) => (stream) => (at < content.length ? stream.enqueue(content.subarray(at, (at += size))) : stream.close());
  for (const size of [1, 7, 64, 10_000]) {
    assert.deepEqual(await ask(inPieces(size)), [202, 1], `pieces of ${size}`);
    assert.deepEqual(await ask(inPieces(size), { bodyBytes: content.length - 1 }), [413, 0], `pieces of ${size}`);
  }
  assert.deepEqual(await ask((stream) => stream.error(new Error("reset"))), [408, 0]);
});

test("what is not stored is not acknowledged", () => {
  const { state, now, exchanges } = callbackTranscript();
  const first = new rs.Subscriber({ callback: CALLBACK, state, clock: () => now });
  const of = (wanted) => {
    const { body, ...request } = exchanges.find(({ request }) => request.id === wanted).request;
    return { ...request, body: body && Buffer.from(body) };
  };
  first.answerSync(of(101));
  const turn = first.answerSync(of(105));
  assert.equal(turn.reply.status, 202);
  assert.ok(Object.keys(turn.keep).length > 0);
  // A process with the state that was kept takes the delivery for a repetition.
  const again = new rs.Subscriber({ callback: CALLBACK, state: first.state, clock: () => now });
  assert.deepEqual(again.answerSync(of(105)).events.map((event) => event.kind).filter((kind) => kind === "notified"), []);
});

test("a subscriber is driven by fetch", async () => {
  const subscriber = new rs.Subscriber({ callback: CALLBACK, kinds: ["change-notification"], clock: () => NOW });
  let form;
  const get = async (uri, { method, body }) => {
    if (uri.endsWith("capabilitylist.xml")) return new Response(payloads.get("capabilities-changes"), { headers: { "Content-Type": "application/xml" } });
    if (method === "HEAD") return new Response(null, { headers: { Link: '<https://example.com/changes>; rel="self", <https://hub.example/>; rel="hub"' } });
    form = new URLSearchParams(Buffer.from(body).toString());
    return new Response(null, { status: 202 });
  };
  const kept = {};
  const { events, waitUntil } = await rs.drive(subscriber, subscriber.follow("https://example.com/capabilitylist.xml"), (keep) => Object.assign(kept, keep), get);
  assert.deepEqual(events.map((event) => event.kind), ["changed"]);
  assert.ok(waitUntil instanceof Date);
  assert.deepEqual(kept, subscriber.state);
  assert.equal(form.get("hub.topic"), "https://example.com/changes");
  assert.match(form.get("hub.callback"), /^https:\/\/me\.example\/rs\/.{20,}/);
});

test("a publisher continues from its state, and refuses what is not valid", async () => {
  const topic = { uri: "https://example.com/changes", hubs: ["https://hub.example/"] };
  const one = new rs.Publisher({ clock: () => 0 });
  const turn = one.publish(topic, payloads.get("changes-1"));
  const failed = await rs.drive(one, turn, () => undefined, async () => { throw new Error("no connection"); });
  assert.deepEqual(failed.events.map((event) => event.kind), ["postponed"]);
  const two = new rs.Publisher({ state: one.state, clock: () => 1_000_000 });
  const sent = await rs.drive(two, two.tick(), () => undefined, async (uri, { body, redirect }) => {
    assert.deepEqual([uri, redirect, Buffer.from(body)], ["https://hub.example/", "manual", payloads.get("changes-1")]);
    return new Response(null, { status: 200 });
  });
  assert.deepEqual([sent.events.map((event) => event.kind), two.waiting], [["sent"], 0]);
  assert.equal(two.last(topic.uri), payloads.get("changes-1").toString());
  assert.throws(() => two.publish(topic, Buffer.from("<urlset/>")), rs.RefusedError);
  assert.throws(() => new rs.Subscriber({ callback: "https://me.example/rs" }), rs.OptionError);
});
