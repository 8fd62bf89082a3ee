/** Loading the wasm module, once. */

import { NotReadyError, OptionError, SourceError } from "./errors.js";
import load, { initSync as loadSync } from "./glue/glue.js";

/** A `WebAssembly.Module`; its own name is not among the types of every platform. */
export type WasmModule = object;

/** What `init` takes: where the module is, what `fetch` answered, its bytes, or itself compiled. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule;

let ready = false;
let loading: Promise<void> | undefined;
let usual: (() => WasmSource | Promise<WasmSource>) | undefined;

/** Says where the module is to be had if nobody says so. */
export function setUsual(source: () => WasmSource | Promise<WasmSource>): void {
  usual = source;
}

/**
 * Loads the module, once; further calls wait for the first. Node does it by itself, and so does every function that
 * returns a promise. Rejected with a `SourceError` if it cannot be loaded; the next call tries again.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  if (ready) return;
  // A second instance would take the place of the first in the middle of its work.
  loading ??= once(wasm).finally(() => (loading = undefined));
  await loading;
}

async function once(wasm: WasmSource | undefined): Promise<void> {
  const source = wasm ?? (await usual?.());
  if (source === undefined) throw new OptionError("init: this entry brings no module; give it one");
  try {
    await load({ module_or_path: source as Response });
  } catch (error) {
    throw notLoaded(error);
  }
  ready = true;
}

/**
 * Loads the module from bytes, or from itself compiled, at once. Throws a `SourceError` if it is none, a `NotReadyError`
 * while `init` is under way.
 */
export function initSync(wasm: ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule): void {
  if (ready) return;
  if (loading) throw new NotReadyError();
  try {
    loadSync({ module: wasm as ArrayBuffer });
  } catch (error) {
    throw notLoaded(error);
  }
  ready = true;
}

function notLoaded(error: unknown): SourceError {
  return new SourceError(`the module could not be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
}

/** True once it is loaded. */
export function isReady(): boolean {
  return ready;
}
