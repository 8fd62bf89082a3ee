/** Loads the module for notifications, once. */

import load, { initSync as loadSync } from "../glue/notify/glue.js";
import { Loader, type Usual, type WasmModule, type WasmSource } from "../loader.js";

const own = new Loader(load, loadSync);

/** Sets the default location of the module. */
export function setUsual(source: Usual): void {
  own.usual = source;
}

/**
 * Loads the module for notifications, once; further calls wait for the first. Not needed in node, in Cloudflare Workers, or before
 * asynchronous functions. Rejected with a `SourceError` if it cannot be loaded; the next call tries again.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  await own.load(wasm);
}

/**
 * Loads the module for notifications synchronously, from bytes or a compiled module. Throws a `SourceError` if it is invalid, and a
 * `NotReadyError` while `init` is running.
 */
export function initSync(wasm: ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule): void {
  own.loadSync(wasm);
}

/** True once the module is loaded. */
export function isReady(): boolean {
  return own.ready;
}
