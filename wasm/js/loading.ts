/** Loads the wasm modules for documents and Sources, each once: the whole one, and a small one that validates documents. */

import { NotReadyError, type SourceError } from "./errors.js";
import load, { initSync as loadSync } from "./glue/glue.js";
import loadSmall, { initSync as loadSmallSync } from "./glue/small/glue.js";
import { Loader, type Usual, type WasmModule, type WasmSource } from "./loader.js";

const whole = new Loader(load, loadSync);
const small = new Loader(loadSmall, loadSmallSync);

/** Sets the default location of the whole module and, if it is used, of the small one. */
export function setUsual(source: Usual, forDocuments?: Usual): void {
  whole.usual = source;
  small.usual = forDocuments;
}

let missing: SourceError | undefined;

/** Sets why the module of this entry point could not be loaded. */
export function setMissing(reason: SourceError): void {
  missing = reason;
}

/** The error of a call that needs a module which is not loaded. */
export function notReady(): SourceError | NotReadyError {
  return missing ?? new NotReadyError();
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
  if (!whole.ready && !whole.loading && small.usual) {
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
export function initSync(wasm: ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule): void {
  whole.loadSync(wasm);
}

/** True once the whole module is loaded. */
export function isReady(): boolean {
  return whole.ready;
}

/** True once the small one is. */
export function isSmallReady(): boolean {
  return small.ready;
}
