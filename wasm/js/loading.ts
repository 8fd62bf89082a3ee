/** Loading the wasm modules, each once: the whole one, and a small one that validates documents. */

import { NotReadyError, OptionError, SourceError } from "./errors.js";
import load, { initSync as loadSync } from "./glue/glue.js";
import loadSmall from "./glue/small/glue.js";

/** A `WebAssembly.Module`; its own name is not among the types of every platform. */
export type WasmModule = object;

/** What `init` takes: where the module is, what `fetch` answered, its bytes, or itself compiled. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule;

/** Says where a module is to be had. */
type Usual = () => WasmSource | Promise<WasmSource>;

/** What brings one of the modules. */
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
    // A second instance would take the place of the first in the middle of its work.
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

/** Says where the whole module is to be had if nobody says so, and the small one if it is to be used. */
export function setUsual(source: Usual, forDocuments?: Usual): void {
  whole.usual = source;
  small.usual = forDocuments;
}

/**
 * Loads the module that does everything, once; further calls wait for the first. Node does it by itself, and so does every
 * function that returns a promise. Rejected with a `SourceError` if it cannot be loaded; the next call tries again.
 */
export async function init(wasm?: WasmSource): Promise<void> {
  await whole.load(wasm);
}

/** Loads what validates documents: the small module, unless the whole one is there or on its way, or there is no small one. */
export async function initForDocuments(): Promise<void> {
  if (!whole.ready && !whole.loading && small.usual) {
    try {
      return await small.load();
    } catch {
      // Whoever copied only the whole module beside a bundle is served by that.
    }
  }
  await whole.load();
}

/**
 * Loads the module from bytes, or from itself compiled, at once. Throws a `SourceError` if it is none, a `NotReadyError`
 * while `init` is under way.
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

/** True once the module that does everything is loaded. */
export function isReady(): boolean {
  return whole.ready;
}

/** True once the small one is. */
export function isSmallReady(): boolean {
  return small.ready;
}
