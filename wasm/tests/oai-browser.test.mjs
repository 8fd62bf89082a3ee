/** Harvests and checks in Chromium: the transcripts, and a repository of another origin that permits it. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { root } from "./cases.mjs";
import { begin, folders, POLICY, serve } from "./chromium.mjs";
import { repository } from "./oai-repository.mjs";

const PLAIN = "<!doctype html><title>a page</title>";

let browser, server, page;
before(async () => {
  browser = await begin();
  server = await serve({ ...folders, "/tests/": join(root, "wasm/tests") }, { "/": PLAIN }, `${POLICY}; connect-src 'self' http://127.0.0.1:*`);
  page = await browser.newPage();
  await page.goto(server.url);
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("the transcripts have the steps, proofs and reports of the Rust code", async () => {
  const { wrong, right } = await page.evaluate(async () => {
    const { Harvest, init, ProviderCheck } = await import("/dist/oai.js");
    const { checked, harvested, isSame } = await import("/tests/oai-transcripts.mjs");
    await init();
    const have = async (name) => (await fetch(`/corpus/${name}`)).json();
    const [cases, { bodies, checks }] = await Promise.all([have("oai.json"), have("oai-checks.json")]);
    const wrong = [];
    let right = 0;
    for (const [one, { expected, found }] of [...cases.map((one) => [one, harvested(Harvest, one)]), ...checks.map((one) => [one, checked(ProviderCheck, one, bodies)])]) {
      if (isSame(expected, found)) right += 1;
      else wrong.push(one.name);
    }
    return { wrong, right };
  });
  assert.deepEqual(wrong, []);
  assert.ok(right > 150, `${right}`);
});

test("a repository that permits it is harvested, and one that does not is an incomplete harvest", async () => {
  const { fetch } = repository();
  let permits = true;
  const own = createServer(async ({ url }, response) => {
    const answer = await fetch(`http://a.example${url}`);
    response.writeHead(answer.status, { "Content-Type": "text/xml", ...(permits && { "Access-Control-Allow-Origin": "*" }) });
    response.end(await answer.text());
  });
  await new Promise((listening) => own.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${own.address().port}/oai`;
  const harvested = () =>
    page.evaluate(async (url) => {
      const { harvest } = await import("/dist/oai.js");
      const identifiers = [];
      const records = harvest(url, { delay: 0, maxWait: 0 });
      try {
        for await (const { identifier } of records) identifiers.push(identifier);
      } catch (error) {
        return [identifiers.length, error.code, error.proof.status];
      }
      return [identifiers.length, records.proof.status];
    }, url);
  assert.deepEqual(await harvested(), [30, "complete"]);
  permits = false;
  assert.deepEqual(await harvested(), [0, "INCOMPLETE", "incomplete"]);
  own.close();
});
