/** Checks of repositories: those of the corpus, which Rust and Python run too, and the same with `fetch`. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { message, render } from "resourcesync";
import { oaiKind, OptionError, ProviderCheck, validateProvider, validateResponses } from "resourcesync/oai";

import { root } from "./cases.mjs";
import { bytes, checked } from "./oai-transcripts.mjs";

const { bodies, checks, rendered } = JSON.parse(readFileSync(join(root, "target/corpus/oai-checks.json"), "utf8"));
const body = ({ response }) => bytes(bodies[response.body]);
const named = (name) => checks.find((one) => one.name === name);
const json = (report) => `${JSON.stringify(report, null, 2)}\n`;

test("there are checks", () => assert.ok(checks.length > 90));

for (const one of checks) {
  test(`${one.name} has the steps and the report of the Rust code`, () => {
    const { expected, found } = checked(ProviderCheck, one, bodies);
    assert.deepEqual(found, expected);
  });
}

test("a report is rendered as by the Rust code, in both languages", () => {
  assert.ok(Object.keys(rendered).length > 10);
  for (const [which, expected] of Object.entries(rendered)) {
    const [name, format, lang] = which.split(" ");
    assert.equal(render(named(name).report, format, { lang, width: 120 }), expected, which);
  }
  const report = JSON.parse(named("OAI-50-fires").report);
  assert.equal(report.run.family, "OAI");
  const [found] = report.diagnostics;
  assert.deepEqual(message(found, "en"), { message: found.message, help: found.help });
  assert.match(message(found, "ja").message, /[ぁ-ん]/);
});

/** Time passes as it is waited for. */
async function withoutWaiting(work) {
  const [own, now] = [globalThis.setTimeout, Date.now];
  let clock = 1_767_225_600_000;
  Date.now = () => clock;
  globalThis.setTimeout = (then, ms) => {
    // The limit on a request.
    if (ms > 400_000) return own(then, ms);
    clock += ms;
    return own(then, 0);
  };
  try {
    return await work();
  } finally {
    [globalThis.setTimeout, Date.now] = [own, now];
  }
}

/** Responds as in a check of the corpus. */
function answering({ url, steps }) {
  const left = new Map();
  const key = (uri, form, coding) => JSON.stringify([String(uri), form ?? null, coding === "identity"]);
  for (const step of steps) {
    if (step.step !== "request") continue;
    const own = key(step.url, step.form, step.acceptEncoding);
    left.set(own, [...(left.get(own) ?? []), step]);
  }
  const asked = [];
  const fetch = async (uri, { body: form, headers }) => {
    asked.push({ uri, headers });
    const steps = left.get(key(uri, form, headers["Accept-Encoding"])) ?? [];
    const step = steps.length > 1 ? steps.shift() : steps[0];
    if (!step || step.response.status === 0) throw new TypeError("it broke off");
    return new Response(body(step), { status: step.response.status, headers: step.response.headers });
  };
  return { url, asked, fetch };
}

test("a repository is checked with fetch", async () => {
  for (const name of ["OAI-17-fires", "OAI-50-fires", "OAI-19-fires", "OAI-37-near"]) {
    const own = named(name);
    const { url, asked, fetch } = answering(own);
    const report = await withoutWaiting(() => validateProvider(url, { fetch }));
    assert.equal(json(report), own.report, name);
    assert.ok(asked.length > 30);
    assert.equal(asked.filter(({ headers }) => headers["Accept-Encoding"] === "identity").length, 1);
  }
});

test("what fetch does not show in browsers is not judged", async () => {
  for (const name of ["OAI-16-fires", "OAI-19-fires", "OAI-53-fires"]) {
    const { url, asked, fetch } = answering(named(name));
    const report = await withoutWaiting(() => validateProvider(url, { fetch, allHeaders: false }));
    assert.ok(!report.groups.some(({ code }) => name.startsWith(code)), name);
    assert.ok(asked.every(({ headers }) => !("Accept-Encoding" in headers)));
  }
});

test("a check can be cancelled, ends when a server stalls, and checks its options", async () => {
  const { url, fetch } = answering(named("OAI-17-fires"));
  const controller = new AbortController();
  const running = validateProvider(url, { fetch, signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(running, { name: "AbortError" });
  await assert.rejects(validateProvider(url, { signal: AbortSignal.abort() }), { name: "AbortError" });
  const stalled = () => new Promise(() => undefined);
  const report = await validateProvider(url, { fetch: stalled, timeout: 10, maxWait: 0 });
  assert.equal(report.verdict, "undetermined");
  for (const wrong of [{ select: ["OIA-17"] }, { select: "OAI-17" }, { severity: { "OAI-17": "bad" } }, { limits: { oai_pagse: 1 } }, { profil: "strict" }]) {
    await assert.rejects(validateProvider(url, { fetch, ...wrong }), OptionError);
  }
});

test("single responses are looked at by themselves, also in a recording", async () => {
  const own = named("OAI-17-fires");
  const identify = body(own.steps[0]);
  const report = await validateResponses([{ source: identify, name: "identify.xml" }]);
  assert.deepEqual(report.groups.map(({ code }) => code), ["OAI-17"]);
  for (const source of [new Blob([identify]), new Response(identify), new Blob([identify]).stream()]) {
    assert.equal(json(await validateResponses([{ source, name: "identify.xml" }])), json(report));
  }
  const entry = ({ url, form, response }) => ({
    request: { method: form ? "POST" : "GET", url, ...(form && { postData: { text: form } }) },
    response: { status: response.status, headers: [], content: { text: Buffer.from(body({ response })).toString("base64"), encoding: "base64" } },
  });
  const archive = Buffer.from(JSON.stringify({ log: { version: "1.2", entries: own.steps.filter(({ step }) => step === "request").map(entry) } }));
  assert.deepEqual([oaiKind(identify), oaiKind(archive), oaiKind(Buffer.from("<urlset>"))], ["response", "recording", undefined]);
  const all = await validateResponses([{ source: archive, name: "check.har" }, { source: identify, name: "identify.xml" }]);
  assert.ok(all.inputs.length > 30);
  assert.deepEqual([all.inputs[0].name, all.inputs.at(-1).name], ["check.har: Identify", "identify.xml"]);
  assert.ok(all.inputs.every(({ kind }) => kind === "oai-response"));
  const broken = await validateResponses([{ source: new ReadableStream({ pull: (own) => own.error(new Error("no")) }), name: "a" }]);
  assert.deepEqual([broken.verdict, broken.inputs[0].reason], ["undetermined", "no"]);
  await assert.rejects(validateResponses([{ source: identify }]), OptionError);
});
