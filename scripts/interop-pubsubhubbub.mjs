#!/usr/bin/env node
/**
 * Our hub with the subscriber of the npm package `pubsubhubbub`, behind Express.
 *
 *     node scripts/interop-pubsubhubbub.mjs COMMAND MODULES
 *
 * COMMAND is the resourcesync program, MODULES a folder with `express` and `pubsubhubbub`; `scripts/interop` installs them. Exits with 1 at
 * the first expectation that does not hold.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

const [command, modules] = process.argv.slice(2);
const require = createRequire(join(resolve(modules), "package.json"));
const express = require("express");
const { createServer: createSubscriber } = require("pubsubhubbub");

const TOKEN = "t0ken-of-the-source";
const SECRET = "a secret of the subscriber";

function expect(what, isTrue, details = "") {
  if (!isTrue) throw new Error(`${what}: ${details}`);
  console.log(`ok  ${what}`);
}

async function eventually(what, isTrue) {
  for (const end = Date.now() + 30_000; !(await isTrue()); await setTimeout(20)) {
    if (Date.now() > end) throw new Error(`${what}: not within 30 s`);
  }
  console.log(`ok  ${what}`);
}

const listening = (server) => new Promise((done) => server.once("listening", done));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await listening(server);
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** A Change Notification of the minute with this number. */
function payload(number) {
  const [from, until] = [number, number + 1].map((minute) => `2026-11-21T09:0${minute}:00Z`);
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="https://example.com/capabilitylist.xml"/><rs:md capability="change-notification" from="${from}" until="${until}"/><url><loc>https://example.com/${number}</loc><!-- 日本語 --><rs:md change="updated" datetime="${from}"/></url></urlset>`;
}

const folder = mkdtempSync(join(tmpdir(), "resourcesync-interop-"));
const port = await freePort();
const [hub, topic] = [`http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}/t/changes`];

// The subscriber: one without and one with a secret.
const app = express();
const web = app.listen(0, "127.0.0.1");
await listening(web);
const callbacks = `http://127.0.0.1:${web.address().port}`;
const seen = [];
for (const [path, options] of [["/plain", {}], ["/signed", { secret: SECRET }]]) {
  const subscriber = createSubscriber({ callbackUrl: `${callbacks}${path}`, ...options });
  for (const kind of ["subscribe", "unsubscribe", "denied", "feed"]) subscriber.on(kind, (data) => seen.push({ path, kind, ...data }));
  app.use(path, subscriber.listener());
  app.set(path, subscriber);
}
const of = (path, kind) => seen.filter((each) => each.path === path && each.kind === kind);

writeFileSync(
  join(folder, "resourcesync.toml"),
  `[hub]\npublic_uri = "${hub}"\nlisten = "127.0.0.1:${port}"\nstore = "${folder}/hub.sqlite"\nadmin = "unix:${folder}/admin"\nlog = "text"\n` +
    `[hub.callbacks]\nports = [80]\nallow = ["127.0.0.1:${web.address().port}"]\n` +
    `[[hub.publisher]]\nname = "example"\ntoken_sha256 = "${createHash("sha256").update(TOKEN).digest("hex")}"\n` +
    `[[hub.topic]]\nuri = "${topic}"\nkind = "change-notification"\npublishers = ["example"]\nserve = true\n`,
);
const running = spawn(command, ["hub", "serve", "--config", join(folder, "resourcesync.toml")], { stdio: ["ignore", "ignore", "pipe"] });
let log = "";
running.stderr.on("data", (data) => (log += data));
const ended = new Promise((done) => running.once("exit", done));

async function publish(number) {
  const headers = { "Content-Type": "application/xml", Link: `<${topic}>; rel="self", <${hub}>; rel="hub"`, Authorization: `Bearer ${TOKEN}` };
  const { status } = await fetch(hub, { method: "POST", headers, body: payload(number) });
  expect(`payload ${number} is accepted`, status === 200, status);
}

try {
  await eventually("the hub is ready", () => fetch(topic, { method: "HEAD" }).then(({ ok }) => ok, () => false));

  await new Promise((done, failed) => app.get("/plain").subscribe(topic, hub, (error) => (error ? failed(error) : done())));
  await eventually("pubsubhubbub confirms a subscription", () => of("/plain", "subscribe").length === 1);
  expect("with the lease of the hub", of("/plain", "subscribe")[0].lease > Date.now() / 1000 + 800_000);

  // The subscriber with a secret verifies deliveries that are signed with it.
  const form = new URLSearchParams({ "hub.mode": "subscribe", "hub.topic": topic, "hub.callback": `${callbacks}/signed?hub=${encodeURIComponent(hub)}`, "hub.secret": SECRET });
  expect("a subscription with a secret is accepted", (await fetch(hub, { method: "POST", body: form })).status === 202);
  await eventually("and confirmed", () => of("/signed", "subscribe").length === 1);
  await eventually("the hub knows both", () => log.split("subscribed").length === 3);

  await publish(1);
  await eventually("both receive it", () => of("/plain", "feed").length === 1 && of("/signed", "feed").length === 1);
  for (const path of ["/plain", "/signed"]) {
    const [{ feed, topic: own, hub: from, headers }] = of(path, "feed");
    expect(`${path}: the bytes are those of the Source`, Buffer.compare(feed, Buffer.from(payload(1))) === 0);
    expect(`${path}: pubsubhubbub finds topic and hub`, own === topic && from === hub, `${own} ${from}`);
    expect(`${path}: the type is that of the Source`, headers["content-type"] === "application/xml");
  }

  await new Promise((done, failed) => app.get("/plain").unsubscribe(topic, hub, (error) => (error ? failed(error) : done())));
  await eventually("pubsubhubbub confirms an unsubscription", () => of("/plain", "unsubscribe").length === 1);
  await eventually("the hub knows it", () => log.includes("ended"));
  await publish(2);
  await eventually("the other subscriber still receives", () => of("/signed", "feed").length === 2);
  expect("and this one does not", of("/plain", "feed").length === 1);
  console.log("pubsubhubbub: all as expected");
} catch (error) {
  console.error(`FAILED ${error.message}\n${log}`);
  process.exitCode = 1;
} finally {
  running.kill("SIGTERM");
  const status = await ended;
  if (status !== 0) process.exitCode = 1;
  web.close();
  web.closeAllConnections();
  rmSync(folder, { recursive: true });
}
