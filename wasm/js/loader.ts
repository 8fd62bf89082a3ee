/** Loads a wasm module once. */

import { NotReadyError, OptionError, SourceError } from "./errors.js";
import type { Location } from "./platform.js";

/** A `WebAssembly.Module`; the types of some platforms lack this name. */
export type WasmModule = object;

/** The bytes of a module. */
export type WasmBytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/** The argument of `init`: the URL of the module, a response, its bytes, or the compiled module. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule;

/** Returns the location of a module. */
export type Usual = () => WasmSource | Promise<WasmSource>;

/** A module being loaded, by the functions of its glue. */
export class Loader {
  /** True once it is loaded. */
  loaded = false;
  loading: Promise<void> | undefined;
  /** Why it could not be read. */
  #missing: unknown;
  readonly #location: Location;
  readonly #load: (given: { module_or_path: Response }) => Promise<unknown>;
  readonly #loadSync: (given: { module: ArrayBuffer }) => unknown;

  constructor(location: Location, load: (given: { module_or_path: Response }) => Promise<unknown>, loadSync: (given: { module: ArrayBuffer }) => unknown) {
    this.#location = location;
    this.#load = load;
    this.#loadSync = loadSync;
  }

  /** True if this platform has a usual location for it. */
  get isKnown(): boolean {
    return this.#location.usual !== undefined;
  }

  /** Whether it can be used now; reads it, where that is possible at once. */
  get ready(): boolean {
    const { read } = this.#location;
    if (this.loaded || this.loading || this.#missing !== undefined || !read) return this.loaded;
    try {
      this.loadSync(read());
    } catch (error) {
      this.#missing = error;
    }
    return this.loaded;
  }

  /** The error of a call that needs it while it is not loaded. */
  notReady(): Error {
    return this.#missing instanceof Error ? this.#missing : new NotReadyError();
  }

  async load(wasm?: WasmSource): Promise<void> {
    if (this.loaded || (wasm === undefined && this.ready)) return;
    // A second instance would replace the first while it is in use.
    this.loading ??= this.#once(wasm).finally(() => (this.loading = undefined));
    await this.loading;
  }

  loadSync(wasm: WasmBytes | WasmModule): void {
    if (this.loaded) return;
    if (this.loading) throw new NotReadyError();
    try {
      this.#loadSync({ module: wasm as ArrayBuffer });
    } catch (error) {
      throw notLoaded(error);
    }
    this.loaded = true;
  }

  async #once(wasm: WasmSource | undefined): Promise<void> {
    const source = wasm ?? (await this.#location.usual?.());
    if (source === undefined) throw this.#missing ?? new OptionError("init: this entry brings no module; give it one");
    try {
      await this.#load({ module_or_path: source as Response });
    } catch (error) {
      throw notLoaded(error);
    }
    this.loaded = true;
  }
}

function notLoaded(error: unknown): SourceError {
  return new SourceError(`the module could not be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
}
