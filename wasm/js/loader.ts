/** Loads a wasm module once. */

import { NotReadyError, OptionError, SourceError } from "./errors.js";

/** A `WebAssembly.Module`; the types of some platforms lack this name. */
export type WasmModule = object;

/** The argument of `init`: the URL of the module, a response, its bytes, or the compiled module. */
export type WasmSource = string | URL | Response | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule;

/** Returns the location of a module. */
export type Usual = () => WasmSource | Promise<WasmSource>;

/** A module being loaded, by the functions of its glue. */
export class Loader {
  usual: Usual | undefined;
  ready = false;
  loading: Promise<void> | undefined;
  readonly #load: (given: { module_or_path: Response }) => Promise<unknown>;
  readonly #loadSync: (given: { module: ArrayBuffer }) => unknown;

  constructor(load: (given: { module_or_path: Response }) => Promise<unknown>, loadSync: (given: { module: ArrayBuffer }) => unknown) {
    this.#load = load;
    this.#loadSync = loadSync;
  }

  async load(wasm?: WasmSource): Promise<void> {
    if (this.ready) return;
    // A second instance would replace the first while it is in use.
    this.loading ??= this.#once(wasm).finally(() => (this.loading = undefined));
    await this.loading;
  }

  loadSync(wasm: ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule): void {
    if (this.ready) return;
    if (this.loading) throw new NotReadyError();
    try {
      this.#loadSync({ module: wasm as ArrayBuffer });
    } catch (error) {
      throw notLoaded(error);
    }
    this.ready = true;
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

function notLoaded(error: unknown): SourceError {
  return new SourceError(`the module could not be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
}
