/** Harvests: the transcripts that Rust and Python run too, and the same with `fetch`. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Harvest, harvest, IncompleteHarvest, OptionError, readPage } from "resourcesync/oai";

import { root } from "./cases.mjs";
import { repository } from "./oai-repository.mjs";
import { bytes, harvested, shown } from "./oai-transcripts.mjs";

const cases = JSON.parse(readFileSync(join(root, "target/corpus/oai.json"), "utf8"));
const text = (bytes) => (bytes === undefined ? null : Buffer.from(bytes).toString("utf8"));

test("there are transcripts", () => assert.ok(cases.length > 50));

for (const one of cases) {
  test(`${one.name} has the steps and the proof of the Rust code`, () => {
    const { expected, found } = harvested(Harvest, one);
    assert.deepEqual(found, expected);
  });

  test(`the pages of ${one.name} have the pieces of the Rust code`, async () => {
    for (const { body, page } of one.answers) {
      const read = await readPage(bytes(body));
      assert.equal(read.json, page.facts);
      assert.deepEqual(read.records.map(shown), page.records);
      assert.deepEqual(read.headers.map(({ identifier }) => identifier), page.headers);
    }
  });
}

test("a harvest is an async iterable with a proof", async () => {
  const { asked, fetch } = repository();
  const records = harvest("https://a.example/oai", { prefix: "oai_dc", delay: 0, fetch });
  const found = new Map();
  for await (const record of records) found.set(record.identifier, record);
  assert.equal(found.size, 30);
  const { metadata, sha256, prefix } = found.get("7");
  assert.deepEqual([text(metadata), prefix], ['<d xmlns="urn:d">7</d>', "oai_dc"]);
  assert.equal(sha256, createHash("sha256").update(metadata).digest("hex"));
  assert.deepEqual([records.proof.status, records.proof.requests, asked.length], ["complete", 5, 5]);
});

test("a list that breaks off is an exception", async () => {
  const { fetch } = repository(true);
  const taken = [];
  const records = harvest("https://a.example/oai", { delay: 0, maxWait: 0, fetch });
  await assert.rejects(async () => {
    for await (const { identifier } of records) taken.push(identifier);
  }, (error) => error instanceof IncompleteHarvest && error.proof.status === "incomplete" && error.code === "INCOMPLETE");
  assert.equal(taken.length, 10);
});

test("a harvest can be cancelled, and wrong options are errors", async () => {
  const { fetch } = repository();
  const controller = new AbortController();
  await assert.rejects(async () => {
    for await (const _ of harvest("https://a.example/oai", { delay: 50, fetch, signal: controller.signal })) controller.abort();
  }, { name: "AbortError" });
  // Also between the records of the last page.
  const [stop, seen] = [new AbortController(), []];
  const records = harvest("https://a.example/oai", { delay: 0, fetch, signal: stop.signal });
  await assert.rejects(async () => {
    for await (const { identifier } of records) if (seen.push(identifier) === 25) stop.abort();
  }, { name: "AbortError" });
  assert.deepEqual([seen.length, records.proof], [25, undefined]);
  for (const wrong of [{ since: "yesterday" }, { window: "decade" }, { limits: { oai_pagse: 1 } }]) assert.throws(() => new Harvest("https://a.example/oai", wrong), OptionError);
});

test("a page is read from bytes, a stream or a response", async () => {
  const { fetch } = repository();
  const page = await fetch("https://a.example/oai?verb=ListRecords&metadataPrefix=oai_dc");
  const content = new Uint8Array(await page.clone().arrayBuffer());
  for (const source of [page.clone(), page.body, content]) {
    const { records, facts } = await readPage(source);
    assert.deepEqual([records.length, facts.token, facts.isWhole], [10, "10", true]);
  }
});
