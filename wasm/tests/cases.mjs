/** The cases of the conformance corpus, with the inputs and reports written by scripts/inputs. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const corpus = join(root, "tests/corpus");
export const inputs = join(root, "target/corpus");
const END = Buffer.from("\n---\n");

const below = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".case"))
    .sort()
    .map((name) => join(folder, name));

/** A case file; its format is in the README of the corpus. What repeats, `input`, `must` and `may`, is held against the native report. */
export function load(path) {
  const bytes = readFileSync(path);
  const end = bytes.indexOf(END);
  const lines = bytes.toString("utf8", 0, end).split("\n");
  const fields = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]));
  const name = relative(corpus, path).replace(/\.case$/, "").split(sep).join("/");
  return { path, name, fields, body: bytes.subarray(end + END.length), report: () => readFileSync(join(inputs, name, "report.json"), "utf8") };
}

/** The cases of whole Sources. */
export const sources = () => below(join(corpus, "set")).map(load);

/** All cases of one document or package: name, bytes, the options of this package, the report expected, and what is read, if it can be read. */
export function* cases() {
  for (const { path, name: own, fields, body, report } of ["doc", "field", "spec", "zip"].flatMap((part) => below(join(corpus, part))).map(load)) {
    const { expect, profile, via, name, no_fixity: noFixity, limits } = JSON.parse(fields.options ?? "{}");
    const isPackage = fields.generate !== undefined && JSON.parse(fields.generate).kind === "package";
    const input = fields.generate ? (isPackage ? "package.zip" : "generated.xml") : (fields.file ?? "input.xml");
    const file = join(inputs, own, input);
    const options = { name: name ?? input, fixity: !noFixity };
    if (expect) options.expect = expect;
    if (profile) options.profile = profile;
    if (via) options.via = via;
    if (limits) options.limits = Object.fromEntries(Object.entries(limits).map(([key, value]) => [camel(key), value]));
    const bytes = fields.generate ? () => readFileSync(file) : fields.file ? () => readFileSync(join(dirname(path), fields.file)) : () => body;
    const document = join(inputs, own, "document.json");
    const read = existsSync(document) ? () => readFileSync(document, "utf8") : undefined;
    yield { name: own, input, file, isPackage, options, bytes, expected: report, read };
  }
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}
