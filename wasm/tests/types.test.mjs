/** The types of reports, compared with the schema and with every report of the Rust code. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { compile } from "json-schema-to-typescript";

import { readSync, ReadError } from "resourcesync";

import { cases, root, sources } from "./cases.mjs";

const own = join(root, "wasm");
const folder = join(root, "target/npm/typed");
const SETTINGS = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    lib: ["es2023", "dom", "esnext.disposable"],
  },
};

function check(files) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(own, join(folder, "node_modules/resourcesync"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(SETTINGS));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, stdout } = spawnSync(process.execPath, [join(own, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
  return { status, stdout: stdout.slice(0, 2000) };
}

test("every report is of the type, and has nothing more", () => {
  const texts = [...[...cases()].map(({ expected }) => expected()), ...sources().map(({ report }) => report())];
  assert.ok(texts.length > 2000);
  const all = texts.map((text, at) => `export const report${at}: Report = ${text};\n`);
  const text = `import type { Report } from "resourcesync";\n${all.join("")}`;
  assert.deepEqual(check({ "all.ts": text }), { status: 0, stdout: "" });
});

test("what the schema allows is of the type, and what is of the type the schema allows", async () => {
  const schema = JSON.parse(readFileSync(join(root, "docs/report.schema.json"), "utf8"));
  // Types cannot express the relation of `status` and `stoppedBy`, and that a list is not empty.
  for (const list of Object.values(schema.properties)) delete list.minItems;
  for (const part of ["if", "then", "else"]) delete schema.$defs.run[part];
  const types = await compile(schema, "Schema", { additionalProperties: false, bannerComment: "" });
  const name = /export interface (\w+)/.exec(types)?.[1];
  const both = `import type { Report } from "resourcesync";
import type { ${name} as Schema } from "./schema.js";
type Open<T> = T extends readonly (infer U)[] ? (T extends readonly [infer A, infer B] ? [A, B] : Open<U>[]) : T extends object ? { -readonly [K in keyof T]: Open<T[K]> } : T;
declare const schema: Schema;
declare const report: Open<Report>;
export const one: Report = schema;
export const other: Schema = report;
type Paths<T> = T extends readonly (infer U)[] ? Paths<U> : T extends object ? { [K in keyof T & string]-?: K | \`\${K}.\${Paths<NonNullable<T[K]>>}\` }[keyof T & string] : never;
export const same: Record<Paths<Schema>, 1> = {} as Record<Paths<Report>, 1>;
export const too: Record<Paths<Report>, 1> = {} as Record<Paths<Schema>, 1>;
`;
  assert.deepEqual(check({ "schema.ts": types, "both.ts": both }), { status: 0, stdout: "" });
});

test("every document that can be read is of the type, and has nothing more", () => {
  const all = [];
  for (const { isPackage, bytes } of cases()) {
    const content = bytes();
    if (isPackage || content.length > 20_000) continue;
    try {
      all.push(readSync(content));
    } catch (error) {
      assert.ok(error instanceof ReadError);
    }
  }
  assert.ok(all.length > 1000);
  const literal = (value) => JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `BIGINT ${one}` : one)).replaceAll(/"BIGINT (\d+)"/g, "$1n");
  const lines = all.map((document, at) => `export const document${at}: Document = ${literal(document)};\n`);
  assert.deepEqual(check({ "all.ts": `import type { Document } from "resourcesync";\n${lines.join("")}` }), { status: 0, stdout: "" });
});

test("the types would notice a report that is none", () => {
  const { status } = check({ "wrong.ts": 'import type { Report } from "resourcesync";\nexport const one: Report = { format: "resourcesync-report" };\n' });
  assert.notEqual(status, 0);
});
