/** Generates docs/javascript/reference.md from the type declarations of the package. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const own = dirname(fileURLToPath(import.meta.url));
const dist = join(own, "dist");
const page = join(own, "../docs/javascript/reference.md");
const MARK = "Generated from the type declarations by `scripts/docs`; do not edit.";

/** The sections of the reference. */
const SECTIONS = [
  ["Validating", ["validate.d.ts"]],
  ["Reports", ["report.d.ts", "render.d.ts", "compare.d.ts", "merge.d.ts"]],
  ["Rules", ["rules.d.ts"]],
  ["Reading", ["entries.d.ts"]],
  ["Repairing", ["repair.d.ts"]],
  ["Building", ["build.d.ts", "given.d.ts", "diff.d.ts", "hash.d.ts"]],
  ["Publishing", ["publish-records.d.ts", "hubs.d.ts", "source.d.ts", "publish.d.ts", "source-folder.d.ts", "pack.d.ts"]],
  ["Packages", ["packages.d.ts"]],
  ["Whole Sources", ["crawl.d.ts"]],
  ["Notifications", ["notify/payloads.d.ts", "notify/publisher.d.ts", "notify/subscriber.d.ts", "notify/listener.d.ts", "notify/callback.d.ts", "notify/machine.d.ts", "notify/drive.d.ts", "notify/types.d.ts", "notify/module.d.ts"]],
  ["Hub", ["hub/hub.d.ts", "hub/driver.d.ts", "hub/types.d.ts", "hub/module.d.ts"]],
  ["OAI-PMH", ["oai/harvest.d.ts", "oai/check.d.ts", "oai/exchange.d.ts", "oai/types.d.ts", "oai/module.d.ts"]],
  ["Following Change Lists", ["sync/survey.d.ts", "sync/follower.d.ts", "sync/exchange.d.ts", "sync/types.d.ts", "sync/module.d.ts"]],
  ["Folders", ["folder.d.ts"]],
  ["Documents as objects", ["model.d.ts"]],
  ["Options, sources and the parts of reports", ["types.d.ts"]],
  ["In a worker", ["worker/engine.d.ts"]],
  ["Loading", ["loader.d.ts", "loading.d.ts", "version.d.ts"]],
  ["Error classes", ["errors.d.ts"]],
];

const declared = (file) => readFileSync(join(dist, file), "utf8");

/** The names that a file re-exports, by the declaring file; `undefined` stands for all of them. */
function given(file) {
  const all = new Map();
  for (const [, names, from] of declared(file).matchAll(/export (?:type )?(\*|\{[^}]*\}) from "(.+?)\.js"/g)) {
    const own = join(dirname(file), `${from}.d.ts`);
    const listed = names === "*" ? undefined : names.slice(1, -1).split(",").map((name) => name.trim().replace(/^type /, ""));
    all.set(own, listed && all.get(own) ? [...all.get(own), ...listed] : listed);
  }
  return all;
}

/** The declarations of a file: name, documentation, declaration. */
function* declarations(file) {
  const text = declared(file);
  const begins = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export (?:declare )?(?:async )?(function\*?|class|interface|type|const) (\w+)/g;
  for (const found of text.matchAll(begins)) {
    const start = text.lastIndexOf("export", found.index + found[0].length);
    yield { name: found[3], said: words(found[1] ?? ""), how: declaration(text, start, found[2]) };
  }
}

/** From its start to the brace or semicolon at its end. */
function declaration(text, start, kind) {
  const isBlock = kind === "class" || kind === "interface";
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if ("({[".includes(text[at])) depth += 1;
    if (")}]".includes(text[at])) depth -= 1;
    const ends = isBlock ? text[at] === "}" && depth === 0 : text[at] === ";" && depth === 0;
    if (ends) return plain(text.slice(start, at + 1));
  }
  throw new Error(`no end: ${text.slice(start, start + 80)}`);
}

/** Without private members. */
function plain(code) {
  const shown = code.replace(/^export (declare )?/, "").replaceAll(/^ +(#private|private .*);\n/gm, "").replaceAll("import(\"./glue/glue.js\").", "");
  return shown.replaceAll(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

function words(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());
  return lines.join("\n").trim();
}

/** The whole page. Fails if something public is in no section, or has no documentation. */
export function reference() {
  const names = new Map();
  for (const file of ["api.d.ts", "node.d.ts", "notify/api.d.ts", "hub/api.d.ts", "sync/api.d.ts", "oai/api.d.ts", "worker/shared.d.ts"]) {
    for (const [from, listed] of given(file)) {
      if (from === "api.d.ts") continue;
      const before = names.has(from) ? names.get(from) : [];
      names.set(from, before && listed ? [...before, ...listed] : undefined);
    }
  }
  const parts = ["# Reference of the npm package", "", MARK, "", "Everything is exported by `resourcesync`, `publish` and `SourceFolder` only in node; except `Engine`, which is exported by `resourcesync/worker`, and what is listed under Notifications, Hub, Following Change Lists and OAI-PMH, which is exported by `resourcesync/notify`, `resourcesync/hub`, `resourcesync/sync` and `resourcesync/oai`. The errors are exported by all of them, the types of documents by `resourcesync`, `resourcesync/worker` and `resourcesync/notify`; `explain`, `rules`, `parseReport`, `toJson` and `version` by `resourcesync` and `resourcesync/worker`.", ""];
  const left = new Set(names.keys());
  for (const [title, files] of SECTIONS) {
    parts.push(`## ${title}`, "");
    for (const file of files) {
      left.delete(file);
      const listed = names.get(file);
      for (const { name, said, how } of declarations(file)) {
        if (listed && !listed.includes(name)) continue;
        if (said === "") throw new Error(`${file}: ${name} has no documentation`);
        parts.push(`### ${name}`, "", said, "", "```ts", how, "```", "");
      }
    }
  }
  if (left.size > 0) throw new Error(`no section contains ${[...left].join(", ")}`);
  return `${parts.join("\n").trimEnd()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // No other page is in its folder.
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, reference());
}
