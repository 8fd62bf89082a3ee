/** Loads the wasm modules, each once: the whole one, and a small one that validates documents. */

import { NotReadyError, OptionError, SourceError } from "./errors.js";
import load, { initSync as loadSync } from "./glue/glue.js";
import loadSmall from "./glue/small/glue.js";

/** A `WebAssembly.Module`; the types of some platforms lack this name. */
export type WasmModule = object;

/** The argument of `init`: the URL of the module, a response, its bytes, or the compiled module. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule;

/** Returns the location of a module. */
type Usual = () => WasmSource | Promise<WasmSource>;

/** Loads one of the modules. */
class Loader {
  usual: Usual | undefined;
  ready = false;
  loading: Promise<void> | undefined;
  readonly #load: (given: { module_or_path: Response }) => Promise<unknown>;

  constructor(load: (given: { module_or_path: Response }) => Promise<unknown>) {
    this.#load = load;
  }

  async load(wasm?: WasmSource): Promise<void> {
    if (this.ready) return;
    // A second instance would replace the first while it is in use.
    this.loading ??= this.#once(wasm).finally(() => (this.loading = undefined));
    await this.loading;
  }

  async #once(wasm: WasmSource | undefined): Promise<void> {
    const source = wasm ?? (await this.usual?.());
    if (source === undefined) throw new OptionError("init: this entry brings no module; give it one");
    try {
      await this.#load({ module_or_path: source as Response });
    } catch (error) {
      throw notLoaded(error);
    }
    this.ready = true;
  }
}

const whole = new Loader(load);
const small = new Loader(loadSmall);

/** Sets the default location of the whole module and, if it is used, of the small one. */
export function setUsual(source: Usual, forDocuments?: Usual): void {
  whole.usual = source;
  small.usual = forDocuments;
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
  if (whole.ready) return;
  if (whole.loading) throw new NotReadyError();
  try {
    loadSync({ module: wasm as ArrayBuffer });
  } catch (error) {
    throw notLoaded(error);
  }
  whole.ready = true;
}

function notLoaded(error: unknown): SourceError {
  return new SourceError(`the module could not be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
}

/** True once the whole module is loaded. */
export function isReady(): boolean {
  return whole.ready;
}

/** True once the small one is. */
export function isSmallReady(): boolean {
  return small.ready;
}
