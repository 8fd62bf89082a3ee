/** The conformance corpus: every report, and every document read, is byte for byte that of the Rust code, for every type of source. */

import assert from "node:assert/strict";
import { openSync, closeSync } from "node:fs";
import { test } from "node:test";

import { entries, read, ReadError, readSync, toJson, validate, validateSync, verifyPackage, verifyPackageSync } from "resourcesync";

import { cases } from "./cases.mjs";

const all = [...cases()];

test("the corpus is there", () => assert.ok(all.length > 1500));

for (const { name, isPackage, options, bytes, expected, file } of all) {
  test(`${name} gives the expected bytes`, async () => {
    const content = bytes();
    const wanted = expected();
    const run = isPackage ? verifyPackage : validate;
    const runSync = isPackage ? verifyPackageSync : validateSync;
    assert.equal(toJson(runSync(content, options)), wanted);
    assert.equal(toJson(await run(new Blob([content]), options)), wanted);
    if (isPackage) {
      const fd = openSync(file);
      assert.equal(toJson(await verifyPackage({ fd }, options)), wanted);
      closeSync(fd);
    } else if (content.length === 0) {
      // A stream that gives nothing was read before.
      await assert.rejects(validate(pieces(content, 1009), options), { code: "SOURCE" });
    } else if (content.length < 100_000) {
      assert.equal(toJson(await validate(pieces(content, 1009), options)), wanted);
      assert.equal(toJson(await validate(new Blob([content]).stream(), options)), wanted);
    }
  });
}

/** As JSON, with the order of keys that objects have here. Large numbers are rounded. */
const ordered = (text) => JSON.stringify(JSON.parse(text));
const json = (value) => ordered(JSON.stringify(value, (_, part) => (typeof part === "bigint" ? Number(part) : part)));

for (const { name, bytes, read: document } of all.filter(({ isPackage }) => !isPackage)) {
  test(`${name} is read as the Rust code reads it`, async () => {
    const content = bytes();
    // The function of the Rust code does not unpack.
    if (!document) return content[0] === 0x1f || assert.throws(() => readSync(content), ReadError);
    const whole = readSync(content);
    const expected = ordered(document());
    assert.equal(json(whole), expected);
    assert.equal(json(await read(new Blob([content]))), expected);
    const entriesOnly = [];
    for await (const entry of entries(content)) entriesOnly.push(entry);
    // Foreign elements are not kept.
    assert.equal(json(entriesOnly), json(whole.entries.map(({ elements: _, ...rest }) => rest)));
  });
}

async function* pieces(bytes, length) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
