/** Calls of a loaded wasm module: its errors, and its replacement after a trap. */

import { FormatError, GuardError, InternalError, NotReadyError, OptionError, PublishError, RefusedError, ResourceSyncError } from "./errors.js";
import type { Diagnostic } from "./types.js";

/** What every glue has. */
export interface Glue {
  lastPanic(): string | undefined;
  __wbg_reset_state(): unknown;
}

/** One of the modules, by its glue. */
export class Module<T extends Glue> {
  readonly #glue: T;
  readonly #isReady: () => boolean;
  readonly #notReady: () => Error;

  constructor(own: T, isReady: () => boolean, notReady: () => Error = () => new NotReadyError()) {
    this.#glue = own;
    this.#isReady = isReady;
    this.#notReady = notReady;
  }

  /** Calls the module, and converts its errors to those of this package. */
  inside<R>(work: (own: T) => R): R {
    if (!this.#isReady()) throw this.#notReady();
    try {
      return work(this.#glue);
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #translated(error: unknown): unknown {
    // Like a trap, a stack overflow leaves the instance in an undefined state. Any other RangeError is of a function or a getter of the caller.
    if (error instanceof WebAssembly.RuntimeError || (error instanceof Error && OVERFLOW.test(error.message))) {
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

/** A stack overflow, in the words of V8 and JavaScriptCore, and of SpiderMonkey. */
const OVERFLOW = /^Maximum call stack|^too much recursion/;
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
  if (kind === "guard") return new GuardError(String(message));
  if (kind === "publish") return new PublishError(String(message));
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
