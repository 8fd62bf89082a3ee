/** The examples of docs/javascript.md and of the README run as printed, and the reference has every public name. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { reference } from "../reference.mjs";
import { root } from "./cases.mjs";
import { fresh } from "./project.mjs";

const text = readFileSync(join(root, "docs/javascript.md"), "utf8");

/** A fake web for the examples. */
const STAGE = `
import { writeFileSync } from "node:fs";
import { createPackage, Publication } from "resourcesync";

const [BASE, AT] = ["https://example.com/", "2024-05-01T00:00:00Z"];
const files = new Map();
let path;
const store = { begin: (name) => files.set((path = name), []), write: (bytes) => files.get(path).push(bytes), end() {} };
const source = new Publication(BASE, AT, { describedby: BASE + "about.html", store });
source.set("", BASE + "about.html");
await source.resourceList([{ uri: BASE + "1", length: 3 }]);
await source.changeLists("2024-04-01T00:00:00Z", [{ uri: BASE + "1", change: "created", datetime: "2024-04-02T00:00:00Z" }]);
await source.publish();
const parts = [];
const entry = { uri: BASE + "1", path: "/1.txt", type: "text/plain" };
const head = { at: AT, links: [{ rel: "up", href: BASE + "capabilitylist.xml" }] };
for await (const part of createPackage("resource-dump-manifest", head, [{ entry, bytes: "one" }])) parts.push(part);
files.set("part1.zip", parts);
files.set("1", ["one"]);
writeFileSync("part1.zip", Buffer.concat(parts));

const oai = (inner) => \`<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-01-01T00:00:00Z</responseDate><request>x</request>\${inner}</OAI-PMH>\`;
const IDENTIFY = "<Identify><repositoryName>a</repositoryName><baseURL>x</baseURL><protocolVersion>2.0</protocolVersion><adminEmail>a@b.example</adminEmail><earliestDatestamp>2020-01-01</earliestDatestamp><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify>";
const FORMATS = "<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://a.example/s</schema><metadataNamespace>http://a.example/n</metadataNamespace></metadataFormat></ListMetadataFormats>";
const RECORDS = "<ListRecords><record><header><identifier>oai:a:1</identifier><datestamp>2025-01-01</datestamp></header><metadata><d xmlns='urn:d'/></metadata></record></ListRecords>";

globalThis.fetch = async (uri, { method = "GET", headers = {} } = {}) => {
  if (String(uri).startsWith("https://repository.example/oai")) {
    const verb = new URL(uri).searchParams.get("verb");
    return new Response(oai({ Identify: IDENTIFY, ListMetadataFormats: FORMATS, ListRecords: RECORDS }[verb]), { headers: { "content-type": "text/xml" } });
  }
  const found = files.get(String(uri).slice(BASE.length));
  if (!found) return new Response("", { status: 404 });
  const whole = new Blob(found);
  const range = /^bytes=(\\d+)-(\\d+)$/.exec(headers.range ?? "");
  if (method === "HEAD") return new Response(null, { headers: { "content-length": String(whole.size) } });
  return range ? new Response(whole.slice(Number(range[1]), Number(range[2]) + 1), { status: 206 }) : new Response(whole);
};
`;

test("every example runs as printed", () => {
  const { project } = fresh("docs");
  writeFileSync(join(project, "stage.mjs"), STAGE);
  writeFileSync(join(project, "alone.mjs"), "globalThis.fetch = undefined;");
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, example]) => example);
  const here = examples.filter((example) => !example.startsWith("// in a browser"));
  assert.deepEqual([examples.length - here.length, here.length > 7], [1, true]);
  for (const [at, example] of here.entries()) {
    // What is no excerpt needs neither files nor a network.
    const empty = join(project, `example-${at}`);
    mkdirSync(empty);
    writeFileSync(join(empty, "example.mjs"), example);
    const stage = example.startsWith("// excerpt: ") ? "../stage.mjs" : "../alone.mjs";
    const { status, stderr } = spawnSync(process.execPath, ["--no-warnings", "--import", stage, "example.mjs"], { cwd: empty, encoding: "utf8" });
    assert.equal(status, 0, `${example}\n${stderr}`);
  }
});

test("the example of the README runs as printed", () => {
  const { project } = fresh("readme");
  const [[, example]] = readFileSync(join(root, "README.md"), "utf8").matchAll(/```js\n(.*?)```/gs);
  writeFileSync(join(project, "example.mjs"), example);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", join(project, "example.mjs")], { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.ok(stdout.startsWith("invalid 1\nhttps://example.com/files/stations.csv 2024-04-02T09:00:00Z "), stdout);
});

/** What the examples of the reference leave out. */
const GIVEN = `
import { Publication, publish, Source, SourceFolder } from "resourcesync";
const [at, resources, changes] = ["2024-05-01T00:00:00Z", [{ uri: "https://example.com/1", length: 3 }], []];
const records = resources;
`;

test("every example of the reference runs as printed", () => {
  const { project } = fresh("reference");
  const examples = [...reference().matchAll(/```js\n(.*?)```/gs)].map(([, example]) => example);
  assert.ok(examples.length > 2);
  for (const [at, example] of examples.entries()) {
    const empty = join(project, `example-${at}`);
    mkdirSync(empty);
    writeFileSync(join(empty, "example.mjs"), GIVEN + example);
    const { status, stderr } = spawnSync(process.execPath, ["--no-warnings", "example.mjs"], { cwd: empty, encoding: "utf8" });
    assert.equal(status, 0, `${example}\n${stderr}`);
  }
});

test("every public name is in the reference, with its documentation", async () => {
  // A file of types in no section, and a declaration without documentation, are errors.
  const page = reference();
  for (const entry of ["resourcesync", "resourcesync/worker", "resourcesync/notify", "resourcesync/hub", "resourcesync/sync", "resourcesync/oai"]) {
    for (const name of Object.keys(await import(entry))) assert.match(page, new RegExp(`^### ${name}\n\n\\S`, "m"));
  }
  assert.equal(reference(), page);
});
