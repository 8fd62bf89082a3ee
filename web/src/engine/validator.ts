// The validator: the npm package's engine in workers that the policy of the page binds.

import { Engine } from "resourcesync/worker";
import { fileOfPage } from "../own.js";
import { prepare, start as startWorker } from "./spawn.js";

let small: Promise<Engine> | null = null;
let engine: Promise<Engine> | null = null;
const compiled = new Map<string, Promise<WebAssembly.Module>>();

/** The whole module. */
export const core = (): Promise<WebAssembly.Module> => module("core.wasm");

/** A module, fetched and compiled once for all workers. */
export function module(name: "core.wasm" | "oai.wasm" | "sync.wasm"): Promise<WebAssembly.Module> {
  const known = compiled.get(name);
  if (known) return known;
  const own = compile(name);
  own.catch(() => compiled.delete(name));
  compiled.set(name, own);
  return own;
}

/** The engine for a single document. It loads only the small module, so a verdict does not wait for the whole one. */
export function documents(): Promise<Engine> {
  // A worker finds no module beside a page that is one file.
  small ??= ONE_FILE ? validator() : start();
  small.catch(() => (small = null));
  return small;
}

/** The engine for everything else. */
export function validator(): Promise<Engine> {
  engine ??= core().then((wasm) => start(wasm));
  engine.catch(() => (engine = null));
  return engine;
}

/** Loads what validates documents before it is needed: when a file is about to be dropped or chosen. */
export function warm(): void {
  documents().then((started) => started.ready()).catch(() => undefined);
}

async function start(wasm?: WebAssembly.Module): Promise<Engine> {
  const script = await prepare("validator.js");
  return new Engine({ worker: () => startWorker(script), ...(wasm && { wasm }) });
}

async function compile(name: string): Promise<WebAssembly.Module> {
  const answer = await fileOfPage(name);
  // Some hosts do not know the type; compiling while it arrives requires it.
  const isTyped = answer.headers.get("content-type")?.split(";")[0]?.trim() === "application/wasm";
  return isTyped ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
