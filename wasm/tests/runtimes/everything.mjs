/** Uses every part of the package with features of all runtimes; the results must be equal in all of them. */

import { surveyed } from "./surveyed.mjs";

const AT = "2024-05-01T00:00:00Z";
const BASE = "http://example.com/";
const LIST = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="resourcelist"/><url><loc>${BASE}1</loc><rs:md length="9007199254740993"/></url><url><loc>${BASE}é</loc></url></urlset>`;
const CONTENT = new TextEncoder().encode("one two three ".repeat(10_000));

/** `notify` is `resourcesync/notify`, and so on; `Engine` only if there are workers. */
export async function everything(rs, notify, hub, oai, sync, Engine) {
  const bytes = new TextEncoder().encode(LIST);
  const code = (work) => Promise.resolve().then(work).then(() => "no error", (error) => (error instanceof rs.ResourceSyncError ? error.code : String(error)));
  const made = {};

  made.sync = rs.toJson(rs.validateSync(LIST, { name: "list.xml" }));
  made.html = rs.render(rs.parseReport(made.sync), "html", { lang: "ja" });
  made.sources = [];
  for (const source of [LIST, bytes, bytes.buffer, new Blob([bytes]), new Blob([bytes]).stream(), new Response(bytes).body, pieces(bytes), [bytes]]) {
    made.sources.push(rs.toJson(await rs.validate(source, { name: "list.xml" })) === made.sync);
  }

  const stream = rs.entries(new Response(bytes).body);
  made.head = await stream.head;
  made.entries = [];
  for await (const { uri, length } of stream) made.entries.push([uri, typeof length, String(length)]);

  const up = { links: [{ rel: "up", href: `${BASE}capabilitylist.xml` }] };
  made.built = rs.build("change-list", { from: AT, ...up }, [{ uri: `${BASE}1`, change: "deleted", datetime: AT }]);
  made.refused = await code(() => rs.build("change-list", { from: AT, ...up }, [{ uri: `${BASE}1` }]));

  const topic = { uri: `${BASE}changes`, hubs: [`${BASE}hub`] };
  const [payload] = notify.announce([{ uri: `${BASE}1`, change: "deleted", datetime: AT }], AT, "2024-05-01T00:05:00Z", { capabilityList: `${BASE}capabilitylist.xml` });
  const publisher = new notify.Publisher({ clock: () => 0 });
  const turn = publisher.publish(topic, payload.body);
  const { events } = await notify.drive(publisher, turn, () => undefined, async () => new Response(null, { status: 200 }));
  made.sent = [payload.digest, turn.requests.length, events.map(({ kind }) => kind), publisher.waiting];
  made.unknown = (await new notify.Subscriber({ callback: BASE }).answer(new Request(`${BASE}x`))).reply.status;
  made.unsent = await code(() => publisher.publish(topic, new TextEncoder().encode(LIST)));
  made.hub = await throughHub(hub, notify, payload.body);

  const parts = [];
  const entry = { uri: `${BASE}1`, path: "/1.txt", type: "text/plain", length: CONTENT.length };
  for await (const part of rs.createPackage("resource-dump-manifest", { at: AT, ...up }, [{ entry, bytes: new Blob([CONTENT]) }])) parts.push(part);
  const archive = new Uint8Array(await new Blob(parts).arrayBuffer());
  made.verified = [await rs.verifyPackage(archive), await rs.verifyPackage(new Blob([archive])), rs.verifyPackageSync(archive)].map(rs.toJson);
  const opened = await rs.openPackage(archive);
  made.member = (await opened.read("1.txt")).length;
  opened[Symbol.dispose]();

  const files = new Map();
  let path;
  const store = { begin: (name) => files.set((path = name), []), write: (bytes) => files.get(path).push(bytes), end() {} };
  const source = new rs.Publication(BASE, AT, { describedby: `${BASE}about.html`, store });
  source.set("", `${BASE}about.html`);
  await source.resourceList([{ uri: `${BASE}1`, length: 8 }]);
  made.published = await source.publish();
  const fetch = (uri) => (files.has(uri.slice(BASE.length)) ? new Response(new Blob(files.get(uri.slice(BASE.length)))) : new Response("", { status: 404 }));
  made.crawled = rs.toJson(await rs.crawl(BASE, { fetch }));

  made.hashed = await rs.hash(new Blob([CONTENT]), ["md5", "sha-256"]);
  made.misuse = [await code(() => rs.validate(5)), await code(() => rs.validate(LIST, { name: 5 })), await code(() => rs.validate(broken()))];
  made.aborted = await rs.validate(pieces(bytes), { signal: AbortSignal.abort("enough") }).catch(String);
  made.stalled = [
    await stopped((signal) => rs.validate(stalled(), { signal })),
    await stopped((signal) => rs.read(new ReadableStream({ start: (controller) => controller.enqueue(bytes.subarray(0, 20)) }), { signal })),
    await stopped((signal) => rs.entries(stalled(), { signal }).next()),
    await stopped((signal) => rs.crawl(BASE, { signal, fetch: () => new Promise(() => {}) })),
  ];
  made.oai = await throughOai(oai);
  made.survey = await surveyed(sync);
  if (Engine) made.worker = await inWorker(Engine, bytes);
  return made;
}

/** A harvest of two pages, of which the second is cut the second time, and a response by itself. */
async function throughOai({ harvest, readPage, validateResponses }) {
  const page = (inner) => `<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>${BASE}</request>${inner}</OAI-PMH>`;
  const record = (name) => `<record><header><identifier>${name}</identifier><datestamp>2025-01-01</datestamp></header><metadata><d xmlns="urn:d">é</d></metadata></record>`;
  const bodies = {
    Identify: page("<Identify><repositoryName>a</repositoryName><baseURL>x</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>nobody</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify>"),
    ListMetadataFormats: page("<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a.example/s</schema><metadataNamespace>urn:d</metadataNamespace></metadataFormat></ListMetadataFormats>"),
    ListRecords: page(`<ListRecords>${record("a:1")}<resumptionToken>t</resumptionToken></ListRecords>`),
    t: page(`<ListRecords>${record("a:2")}<resumptionToken/></ListRecords>`),
  };
  const fetch = async (uri) => {
    const query = new URL(uri).searchParams;
    return new Response(bodies[query.get("resumptionToken") ?? query.get("verb")], { headers: { "Content-Type": "text/xml" } });
  };
  const harvested = async () => {
    const found = [];
    const records = harvest(BASE, { delay: 0, maxWait: 0, fetch });
    try {
      for await (const { identifier, metadata, sha256 } of records) found.push([identifier, metadata.length, sha256]);
    } catch (error) {
      return [...found, error.code];
    }
    return [...found, records.proof.status];
  };
  const whole = await harvested();
  const { facts } = await readPage(new Response(bodies.ListRecords));
  bodies.t = bodies.t.slice(0, -60);
  const report = await validateResponses([{ source: new Blob([bodies.Identify]), name: "identify.xml" }]);
  return { whole, cut: await harvested(), token: facts.token, codes: report.groups.map(({ code }) => code) };
}

/** The keys that a hub stores, and what it delivers. */
async function throughHub({ Hub, HubDriver }, notify, body) {
  const topic = `${BASE}t`;
  const [stored, delivered, stop, secret] = [new Set(), [], new AbortController(), new TextEncoder().encode("s")];
  const own = new Hub({ publicUri: BASE, topics: [{ uri: topic, kind: "change-notification", publishers: ["me"], serve: true }], publishers: [{ name: "me", hmac: "s" }] });
  const send = async ({ purpose, uri, body }) => {
    delivered.push([purpose, body.length]);
    return { status: 200, body: new TextEncoder().encode(new URL(uri).searchParams.get("hub.challenge") ?? "") };
  };
  const keep = (values) => Object.keys(values).forEach((key) => stored.add(key));
  const driver = new HubDriver(own, { keep, send, signal: stop.signal });
  const form = new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": topic, "hub.callback": "http://me.example/" });
  const subscribed = await driver.answer("::1", new Request(BASE, { method: "POST", body: form }));
  await driver.idle();
  const headers = { "Content-Type": "application/xml", Link: `<${topic}>; rel="self", <${BASE}>; rel="hub"`, "X-Hub-Signature": notify.sign("sha256", secret, body) };
  const accepted = await driver.answer("::1", new Request(BASE, { method: "POST", headers, body }));
  await driver.idle();
  const served = await driver.answer("::1", { method: "GET", path: "/t" });
  stop.abort();
  return [subscribed.status, accepted.status, served.body.length === body.length, [...stored].sort(), delivered];
}

async function inWorker(Engine, bytes) {
  const engine = new Engine();
  try {
    let told = 0;
    const report = await engine.validate(new Blob([bytes]), { name: "list.xml", onProgress: () => told++ });
    const abort = new AbortController();
    const running = engine.validate(endless(), { signal: abort.signal });
    setTimeout(() => abort.abort("enough"), 50);
    const ended = await running.catch(String);
    const cut = await engine.validate(broken()).catch(({ code, cause }) => [code, cause?.message]);
    return { verdict: report.verdict, told: told > 0, ended, cut, text: await engine.render(report, "text") };
  } finally {
    engine.terminate();
  }
}

/** What a call is rejected with when its signal aborts. */
async function stopped(call) {
  const abort = new AbortController();
  const running = call(abort.signal);
  setTimeout(() => abort.abort("enough"), 5);
  return running.then(() => "no error", String);
}

async function* stalled() {
  yield LIST.slice(0, 20);
  await new Promise(() => {});
}

async function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

async function* broken() {
  yield LIST.slice(0, 20);
  throw new Error("cut");
}

async function* endless() {
  for (;;) yield new Uint8Array(1000).fill(32);
}
