/** The cases of the conformance corpus, with their inputs; `scripts/npm` writes those that are only described. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const corpus = join(root, "tests/corpus");
const inputs = join(root, "target/npm/inputs");

function folders(folder) {
  if (existsSync(join(folder, "case.json"))) return [folder];
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return below.flatMap((entry) => folders(join(folder, entry.name)));
}

/** All cases: name, bytes, the options of this package, the report expected. */
export function* cases() {
  for (const folder of folders(corpus).filter((folder) => !relative(corpus, folder).startsWith("set"))) {
    const said = JSON.parse(readFileSync(join(folder, "case.json"), "utf8"));
    const { expect, profile, via, name, no_fixity: noFixity, limits } = said.options ?? {};
    const isPackage = said.generate?.kind === "package";
    const own = said.input ?? (isPackage ? "package.zip" : "generated.xml");
    const file = said.input ? join(folder, said.input) : join(inputs, relative(corpus, folder), "input");
    const options = { name: name ?? own, fixity: !noFixity };
    if (expect) options.expect = expect;
    if (profile) options.profile = profile;
    if (via) options.via = via;
    if (limits) options.limits = Object.fromEntries(Object.entries(limits).map(([key, value]) => [camel(key), value]));
    yield {
      name: relative(corpus, folder),
      file,
      isPackage,
      options,
      bytes: () => readFileSync(file),
      expected: () => readFileSync(join(folder, "expected.json"), "utf8"),
    };
  }
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}
