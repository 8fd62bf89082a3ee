/** The wasm module: loaded once, replaced after a trap. */

import load, * as glue from "./glue/glue.js";
import { FormatError, InternalError, NotReadyError, OptionError, RefusedError, ResourceSyncError, SourceError } from "./errors.js";
import type { Diagnostic } from "./types.js";

export { glue };

/** What `init` takes: where the module is, its bytes, or itself compiled. */
export type WasmSource = string | URL | Response | BufferSource | WebAssembly.Module;

let ready = false;
let usual: (() => WasmSource | Promise<WasmSource>) | undefined;

/** Says where the module is to be had if nobody says so. */
export function setUsual(source: () => WasmSource | Promise<WasmSource>): void {
  usual = source;
}

/**
 * Loads the module, once; further calls wait for the first. Node does it by itself, and so does every function that
 * returns a promise.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  if (ready) return;
  const source = wasm ?? (await usual?.());
  if (source === undefined) throw new OptionError("init: this entry brings no module; give it one");
  try {
    await load({ module_or_path: source });
  } catch (error) {
    throw new SourceError(`the module could not be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  ready = true;
}

/** Loads the module from bytes, or from itself compiled, at once. */
export function initSync(wasm: BufferSource | WebAssembly.Module): void {
  if (ready) return;
  glue.initSync({ module: wasm });
  ready = true;
}

/** Runs something in the module. What goes wrong there becomes an error of this package. */
export function inside<T>(work: () => T): T {
  if (!ready) throw new NotReadyError();
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

function translated(error: unknown): unknown {
  // A stack that runs over is a RangeError and leaves the instance in the middle of something, as a trap does.
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    const words = lastWords();
    glue.__wbg_reset_state();
    return new InternalError(words ?? error.message, error);
  }
  if (error instanceof ResourceSyncError) return error;
  if (error instanceof Error) {
    const stale = error.message.startsWith("Invalid stale object");
    return stale ? new InternalError("another call failed and took this one with it", error) : error;
  }
  const { kind, message, diagnostic, full } = error as { kind?: string; message?: string; diagnostic?: string; full?: boolean };
  if (kind === "option") return new OptionError(String(message));
  if (kind === "format") return new FormatError(String(message));
  if (kind === "refused") return new RefusedError(JSON.parse(diagnostic ?? "") as Diagnostic, { full });
  return new InternalError(String(error));
}

function lastWords(): string | undefined {
  try {
    return glue.lastPanic();
  } catch {
    return undefined;
  }
}

/** Gives a handle back; one of a replaced instance is gone already. */
export function free(handle: { free(): void } | undefined): void {
  try {
    handle?.free();
  } catch {
    // It went with its instance, or was taken by the call that failed.
  }
}
