/** The module of an entry point: loaded when it is first used. */

import { type Glue, Module } from "./calls.js";
import { Loader, type WasmBytes, type WasmModule, type WasmSource } from "./loader.js";
import type { Location } from "./platform.js";

/** The glue of such a module. */
interface EntryGlue extends Glue {
  default(given: { module_or_path: Response }): Promise<unknown>;
  initSync(given: { module: ArrayBuffer }): unknown;
}

/** A module with its loader. */
export class EntryModule<T extends EntryGlue> extends Module<T> {
  readonly #loader: Loader;

  constructor(location: Location, glue: T) {
    const loader = new Loader(location, glue.default, glue.initSync);
    super(
      glue,
      () => loader.ready,
      () => loader.notReady(),
    );
    this.#loader = loader;
  }

  /** Loads it, once. */
  load(wasm?: WasmSource): Promise<void> {
    return this.#loader.load(wasm);
  }

  /** Loads it synchronously. */
  loadSync(wasm: WasmBytes | WasmModule): void {
    this.#loader.loadSync(wasm);
  }
}
