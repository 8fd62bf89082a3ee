/** A failing module: every promise settles, and the next call works. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import binaryen from "binaryen";
import { InternalError, initSync, NotReadyError, validate, validateSync } from "resourcesync/lite";
import { Engine } from "resourcesync/worker";

const LIST = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="resourcelist"/></urlset>`;
/** A window of exactly this many bytes traps. */
const FATAL = 4242;

/** The module, modified to fail. */
function fragile() {
  const module = binaryen.readBinary(readFileSync(new URL("../dist/core.wasm", import.meta.url)));
  // Only the features that the module was compiled with.
  const { BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, ReferenceTypes, SIMD128, SignExt, Multivalue } = binaryen.Features;
  const features = [BulkMemory, BulkMemoryOpt, MutableGlobals, NontrappingFPToInt, ReferenceTypes, SIMD128, SignExt, Multivalue];
  module.setFeatures(features.reduce((all, one) => all | one));
  const { i32 } = binaryen;
  const own = binaryen.getExportInfo(module.getExport("validation_push")).value;
  const is = module.i32.eq(module.local.get(2, i32), module.i32.const(FATAL));
  const call = module.call(own, [0, 1, 2].map((at) => module.local.get(at, i32)), binaryen.none);
  module.addFunction("fragile", binaryen.createType([i32, i32, i32]), binaryen.none, [], module.if(is, module.unreachable(), call));
  module.removeExport("validation_push");
  module.addFunctionExport("fragile", "validation_push");
  return module.emitBinary();
}

const bytes = fragile();
const fatal = " ".repeat(FATAL);

test("without a module nothing works, and it says so", () => {
  assert.throws(() => validateSync(LIST), NotReadyError);
});

test("a trap is an error, takes only what was under way with it, and the next call works", async () => {
  initSync(bytes);
  assert.equal(validateSync(LIST).verdict, "invalid");
  assert.throws(() => validateSync(fatal), InternalError);
  assert.equal(validateSync(LIST).verdict, "invalid");

  let go;
  const gate = new Promise((open) => (go = open));
  async function* slow() {
    yield LIST.slice(0, 50);
    await gate;
    yield LIST.slice(50);
  }
  const under = validate(slow());
  await new Promise((turn) => setTimeout(turn, 20));
  await assert.rejects(validate(fatal), InternalError);
  go();
  await assert.rejects(under, (error) => error instanceof InternalError && /another call failed/.test(error.message));
  assert.equal((await validate(LIST)).verdict, "invalid");
});

test("a trap in a worker rejects its task, and a fresh worker does the next", async () => {
  const engine = new Engine({ wasm: bytes });
  try {
    const [first, second, third] = await Promise.allSettled([engine.validate(LIST), engine.validate(fatal), engine.validate(LIST)]);
    assert.equal(first.value.verdict, "invalid");
    assert.ok(second.reason instanceof InternalError);
    assert.equal(third.value.verdict, "invalid");
  } finally {
    engine.terminate();
  }
});
