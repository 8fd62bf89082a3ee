/** The module for harvesting and checking OAI-PMH repositories. */

import { EntryModule } from "../entry-module.js";
import * as glue from "../glue/oai/glue.js";
import type { WasmBytes, WasmModule, WasmSource } from "../loader.js";
import { platform } from "../platform.js";

const own = new EntryModule(platform.oai, glue);

/**
 * Loads the module for harvesting, once; further calls wait for the first. Not needed in node, in Cloudflare Workers, or before
 * asynchronous functions. Rejected with a `SourceError` if it cannot be loaded; the next call tries again.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  await own.load(wasm);
}

/**
 * Loads the module for harvesting synchronously, from bytes or a compiled module. Throws a `SourceError` if it is invalid, and a
 * `NotReadyError` while `init` is running.
 */
export function initSync(wasm: WasmBytes | WasmModule): void {
  own.loadSync(wasm);
}

/** Calls the module. */
export function inside<T>(work: () => T): T {
  return own.inside(work);
}
