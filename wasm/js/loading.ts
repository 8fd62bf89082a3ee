/** Loads the wasm modules for documents and Sources, each once: the whole one, and a small one that validates documents. */

import load, { initSync as loadSync } from "./glue/glue.js";
import loadSmall, { initSync as loadSmallSync } from "./glue/small/glue.js";
import { Loader, type WasmBytes, type WasmModule, type WasmSource } from "./loader.js";
import { platform } from "./platform.js";

const whole = new Loader(platform.core, load, loadSync);
const small = new Loader(platform.validate, loadSmall, loadSmallSync);

/** The error of a call that needs the whole module while it is not loaded. */
export function notReady(): Error {
  return whole.notReady();
}

/**
 * Loads the whole module, once; further calls wait for the first. Not needed in node or before asynchronous functions.
 * Rejected with a `SourceError` if it cannot be loaded; the next call tries again.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  await whole.load(wasm);
}

/** Loads a module that validates documents: the small one, unless the whole one is loaded or loading, or there is no small one. */
export async function initForDocuments(): Promise<void> {
  if (!whole.loaded && !whole.loading && small.isKnown) {
    try {
      return await small.load();
    } catch {
      // Only the whole module was deployed with the bundle: use it.
    }
  }
  await whole.load();
}

/**
 * Loads the module synchronously, from bytes or a compiled module. Throws a `SourceError` if it is invalid, and a
 * `NotReadyError` while `init` is running.
 */
export function initSync(wasm: WasmBytes | WasmModule): void {
  whole.loadSync(wasm);
}

/** True if the whole module can be used. */
export function isReady(): boolean {
  return whole.ready;
}

/** True if the small one can be used. */
export function isSmallReady(): boolean {
  return small.ready;
}
