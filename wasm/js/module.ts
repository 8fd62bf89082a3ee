/** The loaded wasm modules: their errors, and their replacement after a trap. */

import * as glue from "./glue/glue.js";
import * as smallGlue from "./glue/small/glue.js";
import { FormatError, InternalError, NotReadyError, OptionError, RefusedError, ResourceSyncError } from "./errors.js";
import { init, initForDocuments, isReady, isSmallReady } from "./loading.js";
import type { Diagnostic } from "./types.js";

export { glue };

/** One of the modules. */
export class Module {
  readonly #glue: typeof glue;
  readonly #isReady: () => boolean;

  constructor(own: typeof glue, isReady: () => boolean) {
    this.#glue = own;
    this.#isReady = isReady;
  }

  /** Calls the module, and converts its errors to those of this package. */
  inside<T>(work: (own: typeof glue) => T): T {
    if (!this.#isReady()) throw new NotReadyError();
    try {
      return work(this.#glue);
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #translated(error: unknown): unknown {
    // A stack overflow is a RangeError and, like a trap, leaves the instance in an undefined state.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
      const words = this.#lastWords();
      this.#glue.__wbg_reset_state();
      return new InternalError(words ?? error.message, error);
    }
    return translated(error);
  }

  #lastWords(): string | undefined {
    try {
      return this.#glue.lastPanic();
    } catch {
      return undefined;
    }
  }
}

/** The whole module. */
export const whole = new Module(glue, isReady);
/** The small module, which only validates documents. */
const small = new Module(smallGlue as unknown as typeof glue, isSmallReady);

/** The whole module, loaded. */
export async function wholly(): Promise<Module> {
  await init();
  return whole;
}

/** The module that validates documents, loaded. */
export async function forDocuments(): Promise<Module> {
  await initForDocuments();
  return atHand();
}

/** The module that validates documents, if one is loaded. */
export function atHand(): Module {
  return isSmallReady() && !isReady() ? small : whole;
}

/** Calls the whole module. */
export function inside<T>(work: () => T): T {
  return whole.inside(work);
}

/** The error of wasm-bindgen for a freed object. */
const OVER = /^null pointer passed to rust|^Attempt to use a moved value/;

function translated(error: unknown): unknown {
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

/** Frees a handle, unless its instance has been replaced. */
export function free(handle: { free(): void } | undefined): void {
  try {
    handle?.free();
  } catch {
    // Already freed with its instance, or by the call that failed.
  }
}
