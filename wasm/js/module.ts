/** The wasm module at work: its errors, and its replacement after a trap. */

import * as glue from "./glue/glue.js";
import { FormatError, InternalError, NotReadyError, OptionError, RefusedError, ResourceSyncError } from "./errors.js";
import { isReady } from "./loading.js";
import type { Diagnostic } from "./types.js";

export { glue };

/** Runs something in the module. What goes wrong there becomes an error of this package. */
export function inside<T>(work: () => T): T {
  if (!isReady()) throw new NotReadyError();
  try {
    return work();
  } catch (error) {
    throw translated(error);
  }
}

/** What the border says of an object that is gone. */
const OVER = /^null pointer passed to rust|^Attempt to use a moved value/;

function translated(error: unknown): unknown {
  // A stack that runs over is a RangeError and leaves the instance in the middle of something, as a trap does.
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    const words = lastWords();
    glue.__wbg_reset_state();
    return new InternalError(words ?? error.message, error);
  }
  if (error instanceof ResourceSyncError) return error;
  if (error instanceof Error) {
    if (error.message.startsWith("Invalid stale object")) return new InternalError("another call failed and took this one with it", error);
    return OVER.test(error.message) ? new OptionError("this was finished or given back: it cannot be used any more") : error;
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
