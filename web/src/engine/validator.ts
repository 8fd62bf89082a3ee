// The validator: the npm package's engine in a worker that the policy of the page binds.

import { Engine } from "resourcesync/worker";
import { scriptUrl } from "../trusted.js";
import { prepare } from "./spawn.js";

let engine: Promise<Engine> | null = null;

/** Where the compiled core lies. A worker from a blob has no address of its own to start from. */
export function core(): string {
  return new URL("core.wasm", document.baseURI).href;
}

/** The engine, started when first asked for. */
export function validator(): Promise<Engine> {
  engine ??= prepare("validator.js").then((script) =>
    new Engine({ worker: () => new Worker(scriptUrl(script), { type: "module" }), wasm: core() }));
  engine.catch(() => (engine = null));
  return engine;
}

/** Loads the core before it is needed: when a file is about to come. */
export function warm(): void {
  validator().then((started) => started.ready()).catch(() => undefined);
}
