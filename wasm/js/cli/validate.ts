/** `resourcesync validate`. */

import { chmodSync, closeSync, createReadStream, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync, type PathLike } from "node:fs";

import { SourceError } from "../errors.js";
import { formats, render } from "../render.js";
import { runAll, type Step } from "../run.js";
import type { Format, Kind, Limits, Report, RunOptions, Severity } from "../types.js";
import { folder, lookup, nothing } from "./folder.js";
import { FOUND, reason, say, Trouble, UNSURE, VALID, sourceError } from "./trouble.js";
import { all, count, lang, one, said, text, type Said } from "./words.js";

const SEVERITIES = ["error", "warning", "info"] as const;

const OPTIONS = {
  format: { type: "string", multiple: true },
  output: { type: "string", multiple: true, short: "o" },
  lang: { type: "string" },
  "max-per-rule": { type: "string" },
  baseline: { type: "string" },
  color: { type: "string" },
  quiet: { type: "boolean", short: "q" },
  expect: { type: "string" },
  "no-fixity": { type: "boolean" },
  profile: { type: "string" },
  select: { type: "string", multiple: true },
  ignore: { type: "string", multiple: true },
  severity: { type: "string", multiple: true },
  "fail-on": { type: "string" },
  limit: { type: "string", multiple: true },
  name: { type: "string" },
  uri: { type: "string" },
} as const;

/** The output of a report. */
interface Output {
  readonly format: Format;
  readonly file?: string;
}

export async function validating(rest: string[]): Promise<number> {
  const own = said(rest, OPTIONS);
  const outputs = paired(own);
  const failOn = one(own, "fail-on", ["error", "warning"]) ?? "error";
  const options = chosen(own);
  const color = one(own, "color", ["auto", "always", "never"]) ?? "auto";
  if (own.positionals.length === 0) throw new Trouble("validate what? give a file, a folder, or `-` for standard input");
  distinct(outputs, [...own.positionals, text(own, "baseline")]);
  const open: number[] = [];
  let report: Report;
  try {
    report = await runAll(steps(own, open), options);
  } finally {
    open.forEach((fd) => closeSync(fd));
  }
  const warnings = failOn === "warning" ? report.summary.warnings : 0;
  const status = report.summary.errors + warnings > 0 ? FOUND : report.verdict === "valid" ? VALID : UNSURE;
  const done = outputs.map((output) => written(report, output, own, color, status)).every((done) => done);
  return done || status === FOUND ? status : UNSURE;
}

/** Rejects, before anything is read, an output that would replace an input. */
function distinct(outputs: Output[], inputs: (string | undefined)[]): void {
  for (const { file } of outputs) {
    const place = file === undefined ? undefined : identity(file);
    if (place === undefined) continue;
    for (const input of inputs) {
      if (input === undefined || input === "-") continue;
      const other = identity(input);
      const files = other?.isDirectory ? [...folder(input, input)].flatMap((found) => ("path" in found ? [found.path] : [])) : [input];
      if (files.some((path) => identity(path)?.id === place.id)) throw new Trouble(`${file} is an input and cannot be an output`);
    }
  }
}

/** The identity of a file, also through links; `undefined` if there is none, or for a device. */
function identity(path: PathLike): { id: string; isDirectory: boolean } | undefined {
  let stat;
  try {
    stat = statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
  if (!stat.isFile() && !stat.isDirectory()) return undefined;
  return { id: `${stat.dev}:${stat.ino}`, isDirectory: stat.isDirectory() };
}

function* steps(own: Said, open: number[]): Generator<Step> {
  const single = own.positionals.length === 1;
  const [called, uri] = [text(own, "name"), text(own, "uri")];
  const about = (name: string) => ({ name: called ?? name, ...(uri !== undefined && { uri }) });
  if (own.positionals.filter((path) => path === "-").length > 1) throw new Trouble("standard input (`-`) can be given only once");
  for (const path of own.positionals) {
    if (/^https?:\/\//.test(path)) throw new Trouble(`${path}: URLs are for the native command; or give the document by standard input`);
    const stat = path === "-" ? undefined : lookup(path);
    const isFolder = stat && !(stat instanceof SourceError) && stat.isDirectory();
    if ((called !== undefined || uri !== undefined) && (!single || isFolder)) throw new Trouble("--name and --uri are for a single document");
    if (!stat) yield { source: piped(() => process.stdin), ...about("-"), via: "stdin" };
    else if (stat instanceof SourceError) yield { source: nothing(stat), ...about(path) };
    else if (stat.isFile()) yield read(path, open, about(path));
    else if (!isFolder) yield { source: piped(() => createReadStream(path)), ...about(path) };
    else {
      for (const found of folder(path, path)) yield "path" in found ? read(found.path, open, { name: found.name, via: "folder" }) : found;
      yield { leave: path };
    }
  }
}

/** What comes from a pipe or device. */
async function* piped(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    throw sourceError(error);
  }
}

function read(path: PathLike, open: number[], about: { name: string; uri?: string; via?: "folder" }): Step {
  // Opened only when it is read, so a folder of any size needs one descriptor at a time.
  const fd = () => {
    open.splice(0).forEach((other) => closeSync(other));
    try {
      open.push(openSync(path, "r"));
    } catch (error) {
      throw sourceError(error);
    }
    return open[0] as number;
  };
  return { file: fd, ...about };
}

function chosen(own: Said): RunOptions {
  const options: RunOptions = {
    select: all(own, "select"),
    ignore: all(own, "ignore"),
    severity: Object.fromEntries(all(own, "severity").map((pair) => severity(pair))),
    limits: Object.fromEntries(all(own, "limit").map((pair) => limit(pair))) as Partial<Limits>,
    fixity: own.values["no-fixity"] !== true,
    profile: one(own, "profile", ["standard", "strict", "search-engines"]),
    expect: text(own, "expect") as Kind | undefined,
    maxPerRule: count(own, "max-per-rule"),
  };
  const baseline = text(own, "baseline");
  if (baseline !== undefined) {
    try {
      options.baseline = readFileSync(baseline, "utf8");
    } catch (error) {
      throw new Trouble(`the baseline ${baseline} could not be read: ${reason(error)}`);
    }
  }
  return options;
}

function severity(pair: string): [string, Severity] {
  const [name = "", level] = pair.split("=");
  if (SEVERITIES.includes(level as Severity)) return [name, level as Severity];
  throw new Trouble(`--severity: \`${pair}\` is not like CL-13=warning`);
}

function limit(pair: string): [string, number] {
  const [name = "", value = ""] = pair.split("=");
  if (!/^\d+$/.test(value)) throw new Trouble(`--limit: \`${pair}\` is not like document_bytes=2000000000`);
  return [name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), Number(value)];
}

/** Pairs every `--output` with the `--format` before it; standard output comes last. */
function paired(own: Said): Output[] {
  const known = formats().map(({ name }) => name);
  const outputs: { format: Format; file?: string; has: boolean }[] = [];
  for (const { name, value = "" } of own.tokens) {
    if (name === "format") {
      if (!known.includes(value as Format)) throw new Trouble(`--format: \`${value}\` is none of ${known.join(", ")}`);
      outputs.push({ format: value as Format, has: false });
    } else if (name === "output") {
      const last = outputs.at(-1);
      if (!last) throw new Trouble(`--output ${value} has no --format before it; for example: --format json --output ${value}`);
      if (last.has) throw new Trouble(`--format ${last.format} has two outputs; say --format again before --output ${value}`);
      last.has = true;
      if (value !== "-") last.file = value;
    }
  }
  const here = outputs.filter(({ file }) => file === undefined);
  if (here.length > 1) throw new Trouble(`${here.map(({ format }) => format).join(" and ")} would all go to standard output; give an --output`);
  const files = outputs.filter(({ file }) => file !== undefined);
  if (new Set(files.map(({ file }) => file)).size < files.length) throw new Trouble("two reports would go to one file");
  return [...files, ...(here.length > 0 ? here : [{ format: "text" as const }])];
}

function written(report: Report, output: Output, own: Said, color: string, status: number): boolean {
  const { format, file } = output;
  const here = file === undefined;
  if (format === "text" && here && own.values["quiet"] === true && status === VALID) return true;
  const isTerminal = here && process.stdout.isTTY === true;
  const coloured = format === "text" && (color === "always" || (color === "auto" && isTerminal && process.stdout.hasColors()));
  const bytes = render(report, format, {
    lang: lang(own),
    color: coloured,
    maxPerRule: count(own, "max-per-rule") ?? 5,
    width: isTerminal ? process.stdout.columns : undefined,
  });
  if (here) {
    process.stdout.write(bytes);
    return true;
  }
  try {
    replace(file, bytes);
    return true;
  } catch (error) {
    say("error", `${file} could not be written: ${reason(error)}`);
    return false;
  }
}

/** Writes to a pipe or device, and replaces a file, or what a link leads to, once everything is written. */
function replace(file: string, bytes: string): void {
  const old = statSync(file, { throwIfNoEntry: false });
  if (old && !old.isFile()) return writeFileSync(file, bytes);
  const place = old ? realpathSync(file) : file;
  const temporary = `${place}.${process.pid}.part`;
  try {
    writeFileSync(temporary, bytes, { flag: "wx" });
    if (old) chmodSync(temporary, old.mode);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
