/** Writes the part of docs/javascript.md that names everything, from the declarations the package ships. */

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const own = dirname(fileURLToPath(import.meta.url));
const dist = join(own, "dist");
const page = join(own, "../docs/javascript.md");
const MARK = "<!-- The rest is written by wasm/reference.mjs. -->";

/** What belongs together, in the order a reader needs it. */
const SECTIONS = [
  ["Validating", ["validate.d.ts"]],
  ["Reports", ["report.d.ts", "render.d.ts"]],
  ["Rules", ["rules.d.ts"]],
  ["Reading", ["entries.d.ts"]],
  ["Building", ["build.d.ts", "diff.d.ts", "hash.d.ts"]],
  ["Publishing", ["publish.d.ts", "pack.d.ts"]],
  ["Packages", ["packages.d.ts"]],
  ["Whole Sources", ["crawl.d.ts"]],
  ["Folders", ["folder.d.ts"]],
  ["Documents as objects", ["model.d.ts"]],
  ["Options, sources and the parts of reports", ["types.d.ts"]],
  ["In a worker", ["worker/engine.d.ts"]],
  ["Loading", ["loading.d.ts", "version.d.ts"]],
  ["Errors by name", ["errors.d.ts"]],
];

const declared = (file) => readFileSync(join(dist, file), "utf8");

/** The names that a file gives on, by the file they are declared in; `undefined` stands for all of them. */
function given(file) {
  const all = new Map();
  for (const [, names, from] of declared(file).matchAll(/export (?:type )?(\*|\{[^}]*\}) from "(.+?)\.js"/g)) {
    const own = join(dirname(file), `${from}.d.ts`);
    const listed = names === "*" ? undefined : names.slice(1, -1).split(",").map((name) => name.trim().replace(/^type /, ""));
    all.set(own, listed && all.get(own) ? [...all.get(own), ...listed] : listed);
  }
  return all;
}

/** The declarations of a file: their name, what is said of them, how they are declared. */
function* declarations(file) {
  const text = declared(file);
  const begins = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?export (?:declare )?(?:async )?(function\*?|class|interface|type|const) (\w+)/g;
  for (const found of text.matchAll(begins)) {
    const start = text.lastIndexOf("export", found.index + found[0].length);
    yield { name: found[3], said: words(found[1] ?? ""), how: declaration(text, start, found[2]) };
  }
}

/** From its beginning to the brace or semicolon that ends it. */
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

/** Without what is nobody's business. */
function plain(code) {
  const shown = code.replace(/^export (declare )?/, "").replaceAll(/^ +(#private|private .*);\n/gm, "").replaceAll("import(\"./glue/glue.js\").", "");
  return shown.replaceAll(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

function words(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());
  return lines.join("\n").trim();
}

/** That part of the page. */
export function reference() {
  const names = new Map();
  for (const file of ["api.d.ts", "worker/shared.d.ts"]) {
    for (const [from, listed] of given(file)) {
      const before = names.has(from) ? names.get(from) : [];
      names.set(from, before && listed ? [...before, ...listed] : undefined);
    }
  }
  const parts = [MARK, "", "## Everything by name", "", "All of it comes from `resourcesync`; `Engine`, `explain`, `rules`, `parseReport`, `toJson`, `version`, the errors and all types from `resourcesync/worker` too or only.", ""];
  const left = new Set(names.keys());
  for (const [title, files] of SECTIONS) {
    parts.push(`### ${title}`, "");
    for (const file of files) {
      left.delete(file);
      const listed = names.get(file);
      for (const { name, said, how } of declarations(file)) {
        if (listed && !listed.includes(name)) continue;
        if (said === "") throw new Error(`${file}: nothing is said of ${name}`);
        parts.push(`#### ${name}`, "", said, "", "```ts", how, "```", "");
      }
    }
  }
  if (left.size > 0) throw new Error(`no section has ${[...left].join(", ")}`);
  return `${parts.join("\n").trimEnd()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [prose] = readFileSync(page, "utf8").split(MARK);
  writeFileSync(page, `${prose.trimEnd()}\n\n${reference()}`);
}
