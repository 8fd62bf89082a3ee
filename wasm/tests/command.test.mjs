/** `npx resourcesync`: the output and exit statuses of the native command, for the supported subcommands. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { cases, root } from "./cases.mjs";

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

test("pipes, links, and what cannot be read give what the native command gives", { skip: process.platform === "win32" }, (context) => {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const at = (name) => join(folder, name);
  writeFileSync(at("list.xml"), '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>');
  writeFileSync(at("part.bin"), [...cases()].find(({ isPackage, expected }) => isPackage && JSON.parse(expected()).verdict === "valid").bytes());
  symlinkSync("loop", at("loop"));
  mkdirSync(at("in"));
  symlinkSync("loop.xml", at("in/loop.xml"));
  symlinkSync("../list.xml", at("in/out.xml"));
  symlinkSync("own.xml", at("in/own-link.xml"));
  writeFileSync(at("in/own.xml"), "<urlset>");
  // A name in Latin-1.
  if (process.platform === "linux") writeFileSync(Buffer.concat([Buffer.from(`${at("in")}/`), Buffer.from("\xe4.xml", "latin1")]), "<urlset/>");
  const both = (shell, ...args) => {
    const sh = (...command) => run("sh", ["-c", shell, "sh", ...command, ...args]);
    const [mine, its] = [sh(process.execPath, cli, "validate"), sh(native, "validate", "--no-config")];
    assert.deepEqual([mine.stdout, mine.status], [its.stdout, its.status], `${shell} ${args}`);
    assert.ok(mine.stdout.includes(": "));
  };
  for (const input of ["list.xml", "part.bin"]) {
    both(`cat ${at(input)} | "$@"`, "--format", "json", "/dev/stdin");
    both(`"$@" <${at(input)}`, "--format", "json", "-");
  }
  both(`cat ${at("part.bin")} | "$@"`, at("list.xml"), "-", "--limit", "package_bytes=100");
  both('"$@"', "--format", "json", folder);
  both('"$@"', at("list.xml/x"), at("loop"), at("list.xml"), "/dev/null", "x".repeat(300));
});

test("an output that is a link or a pipe stays one, and a full disk is an error", { skip: process.platform === "win32" }, (context) => {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const [list, target, link, pipe] = ["list.xml", "target.json", "link.json", "pipe"].map((name) => join(folder, name));
  writeFileSync(list, '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>');
  writeFileSync(target, "old");
  chmodSync(target, 0o640);
  symlinkSync("target.json", link);
  assert.equal(ours(["validate", list, "--format", "json", "-o", link]).status, 0);
  assert.ok(lstatSync(link).isSymbolicLink() && JSON.parse(readFileSync(target, "utf8")).verdict === "valid");
  assert.equal(statSync(target).mode & 0o777, 0o640);
  const piped = run("sh", ["-c", 'mkfifo "$1"; cat "$1" & shift; "$@" >/dev/null; wait', "sh", pipe, process.execPath, cli, "validate", list, "--format", "json", "-o", pipe]);
  assert.ok(lstatSync(pipe).isFIFO() && JSON.parse(piped.stdout).verdict === "valid");
  if (process.platform !== "linux") return;
  const full = run("sh", ["-c", '"$@" >/dev/full', "sh", process.execPath, cli, "validate", list]);
  assert.deepEqual([full.status, full.stderr], [2, "error: standard output could not be written: no space left on the device\n"]);
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
