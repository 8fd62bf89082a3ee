/** Measures the package in node, compared with the native command and with parsers that do not validate: `node wasm/bench.mjs`. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { XMLParser } from "fast-xml-parser";
import { SaxesParser } from "saxes";

import { entries, readSync, validateSync } from "./dist/node.js";
import * as small from "./js/glue/small/glue.js";

const ENTRIES = 50_000;
const PASSES = 7;
const WINDOW = 1 << 16;
const own = dirname(fileURLToPath(import.meta.url));
const root = dirname(own);
const file = join(root, "target/npm/list.xml");

// Modules that were built to be tested are slower.
execFileSync(process.execPath, [join(own, "build.mjs"), "check", "--optimized"], { stdio: "inherit" });

/** A list of 49 MB: three digests and three links for each entry. */
function list() {
  const digest = (length, number) => number.toString(16).padStart(length, "0123456789abcdef".repeat(4));
  const link = (number, rel) => `<rs:ln rel="${rel}" href="http://example.com/collection/of/related/resources/in/the/same/repository/by/subject/${rel}/number/${number}" modified="2024-01-01T00:00:00Z" type="text/html"/>\n`;
  const one = (number) => `<url>
  <loc>http://example.com/a/repository/with/resources/of/all/kinds/in/folders/by/year/month/and/day/2024/01/01/resource-number-${number}.html</loc>
  <lastmod>2024-01-01T00:00:00Z</lastmod>
  <rs:md hash="md5:${digest(32, number)} sha-1:${digest(40, number)} sha-256:${digest(64, number)}" length="${number}" type="text/html"/>
  ${link(number, "describedby")}  ${link(number, "canonical")}  ${link(number, "collection")}</url>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
<rs:md capability="resourcelist" at="2024-01-02T00:00:00Z"/>
${Array.from({ length: ENTRIES }, (_, at) => one(at + 1)).join("")}</urlset>
`;
}

async function best(work) {
  let least = Infinity;
  for (let pass = 0; pass < PASSES; pass++) {
    const begun = performance.now();
    await work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** The user CPU time of each in milliseconds, measured in turns, so that other load is the same for all. */
async function inTurns(...works) {
  const least = works.map(() => Infinity);
  for (let pass = 0; pass < 2 * PASSES; pass++) {
    for (const [at, work] of works.entries()) {
      const before = process.cpuUsage();
      await work();
      least[at] = Math.min(least[at], process.cpuUsage(before).user / 1000);
    }
  }
  return least;
}

const text = list();
const bytes = new TextEncoder().encode(text);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, bytes);
execFileSync("cargo", ["build", "--release", "--locked", "--quiet", "-p", "resourcesync-cli"], { cwd: root, stdio: "inherit" });
const command = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "release/resourcesync");

const report = validateSync(bytes);
if (report.verdict !== "valid" || report.summary.entries !== ENTRIES) throw new Error(JSON.stringify(report.groups));

/** The entry point for browsers, reading window by window like that of node. */
function inSmall() {
  const options = new small.Options(undefined);
  const validation = new small.Validation(options, "list.xml", undefined, "argument");
  for (let at = 0; at < bytes.length; at += WINDOW) validation.push(bytes.subarray(at, at + WINDOW));
  const run = new small.Run(options);
  run.add(validation.finish());
  return JSON.parse(run.finish());
}

small.initSync({ module: readFileSync(new URL("./dist/validate.wasm", import.meta.url)) });
const ours = await best(() => validateSync(bytes));
const inBrowsers = await best(inSmall);
const native = await best(() => execFileSync(command, ["validate", "--quiet", "--no-config", "--jobs", "1", file]));
const rows = [
  ["the native command, whole process", native],
  ["saxes 6, parsing only", await best(() => {
    const parser = new SaxesParser({ xmlns: true });
    parser.write(text).close();
  })],
  ["fast-xml-parser 5, parsing only", await best(() => new XMLParser({ ignoreAttributes: false }).parse(text))],
];
const [validated, streamed, whole] = await inTurns(
  () => validateSync(bytes),
  async () => {
    for await (const _ of entries(bytes));
  },
  () => readSync(bytes),
);
console.log(`validating ${(bytes.length / 1e6).toFixed(1)} MB in node: ${ours.toFixed(0)} ms\n`);
console.log("| node : baseline | ours | baseline | ratio |\n| --- | --- | --- | --- |");
console.log(`| the same by validate.wasm, for browsers | ${inBrowsers.toFixed(0)} ms | ${native.toFixed(0)} ms | ${(inBrowsers / native).toFixed(2)} |`);
for (const [name, time] of [["`entries`", streamed], ["`readSync`", whole]]) {
  console.log(`| ${ENTRIES} objects by ${name} : validating, CPU | ${time.toFixed(0)} ms | ${validated.toFixed(0)} ms | ${(time / validated).toFixed(2)} |`);
}
for (const [name, time] of rows) console.log(`| ${name} | ${ours.toFixed(0)} ms | ${time.toFixed(0)} ms | ${(ours / time).toFixed(2)} |`);
