/** Loads the module for following Change Lists, once. */

import load, { initSync as loadSync } from "../glue/sync/glue.js";
import { Loader, type WasmBytes, type WasmModule, type WasmSource } from "../loader.js";
import { platform } from "../platform.js";

const own = new Loader(platform.sync, load, loadSync);

/**
 * Loads the module for following Change Lists, once; further calls wait for the first. Not needed in node, in Cloudflare Workers, or before
 * asynchronous functions. Rejected with a `SourceError` if it cannot be loaded; the next call tries again.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  await own.load(wasm);
}

/**
 * Loads the module for following Change Lists synchronously, from bytes or a compiled module. Throws a `SourceError` if it is invalid, and a
 * `NotReadyError` while `init` is running.
 */
export function initSync(wasm: WasmBytes | WasmModule): void {
  own.loadSync(wasm);
}

/** True if the module can be used. */
export function isReady(): boolean {
  return own.ready;
}

/** The error of a call that needs the module while it is not loaded. */
export function notReady(): Error {
  return own.notReady();
}
