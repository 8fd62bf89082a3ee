/** `npx resourcesync`: the output and exit statuses of the native command, for the supported subcommands. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { root } from "./cases.mjs";

const cli = join(root, "wasm/dist/cli.js");
const native = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/resourcesync");

function run(program, args, input) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, input, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
  return { status, stdout, stderr };
}

const ours = (args, input) => run(process.execPath, [cli, ...args], input);

test("folders, files and standard input give what the native command gives, in every format", () => {
  const spec = "tests/corpus/spec";
  const one = "target/corpus/doc/RL-03";
  const formats = ours(["validate", "--format", "none", "-"]).stderr.match(/is none of (.*)/)[1].split(", ");
  const [, type] = readFileSync(join(root, "wasm/js/types.ts"), "utf8").match(/^export type Format = (.*);$/m);
  assert.equal(type, formats.map((format) => `"${format}"`).join(" | "));
  for (const format of formats) {
    const args = ["validate", "--format", format, "--max-per-rule", "3", spec, one, "tests/no-such-file.xml"];
    const [mine, its] = [ours(args), run(native, [...args.slice(0, 1), "--no-config", ...args.slice(1)])];
    assert.equal(mine.stdout, its.stdout, format);
    assert.equal(mine.status, its.status, format);
  }
  const text = "<urlset>";
  const args = ["validate", "--lang", "ja", "--name", "a.xml", "--fail-on", "warning", "--ignore", "GEN-03", "--severity", "GEN-01=warning", "-"];
  const [mine, its] = [ours(args, text), run(native, [...args.slice(0, 1), "--no-config", ...args.slice(1)], text)];
  assert.deepEqual([mine.stdout, mine.status], [its.stdout, its.status]);
});

test("an output that is an input is rejected before anything is read", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const [input, other] = [join(folder, "in.xml"), join(folder, "other.xml")];
  writeFileSync(input, "<urlset>");
  linkSync(input, other);
  for (const [output, given] of [[input, input], [other, input], [input, folder]]) {
    const ran = ours(["validate", "--format", "json", "--output", output, given]);
    assert.equal(ran.status, 2);
    assert.match(ran.stderr, /is an input and cannot be an output/);
  }
  assert.equal(readFileSync(input, "utf8"), "<urlset>");
});

test("rules and explanations are those of the native command", () => {
  // The native command also has the codes of harvests, notifications and copies.
  const known = JSON.parse(ours(["rules", "--format", "json"]).stdout);
  const codes = new Set(known.map(({ code }) => code));
  const all = JSON.parse(run(native, ["rules", "--format", "json"]).stdout);
  assert.ok(codes.size > 300);
  assert.deepEqual(known, all.filter(({ code }) => codes.has(code)));
  for (const args of [
    ["rules", "--lang", "ja", "--select", "RL,XML-07"],
    ["explain", "RL-03", "--format", "json"],
    ["explain", "missing-at", "--lang", "ja"],
    ["explain", "GEN-01", "--format", "markdown"],
  ]) {
    assert.equal(ours(args).stdout, run(native, args).stdout, args.join(" "));
  }
  const { status, stderr } = ours(["explain", "missing-att"]);
  assert.deepEqual([status, stderr], [2, "error: unknown code, family or rule `missing-att`; did you mean `missing-at`?\n"]);
});

test("a report goes to its file whole, and misuse is said before anything is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-"));
  try {
    const [list, report] = [join(folder, "list.xml"), join(folder, "report.json")];
    writeFileSync(list, '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"></urlset>');
    const { status, stdout } = ours(["validate", list, "--format", "json", "-o", report]);
    assert.equal(status, 1);
    assert.match(stdout, /INVALID/);
    assert.equal(JSON.parse(readFileSync(report, "utf8")).verdict, "invalid");
    const against = ours(["validate", "--baseline", report, list, "-q"]);
    assert.equal(against.status, 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const args of [[], ["nonsense"], ["validate"], ["validate", "--format", "xml", "a"], ["validate", "-o", "x", "a"], ["validate", "--selekt", "a", "b"], ["validate", "--select", "RLL-99", "a"], ["validate", "https://example.com/"], ["explain"]]) {
    assert.equal(ours(args).status, 2, args.join(" "));
  }
});
