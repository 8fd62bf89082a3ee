/** The client of a worker, for node: the worker is a thread. */

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";

import { ofFile } from "../files.js";
import { platform } from "../platform.js";
import { setWorker, type WorkerLike } from "./engine.js";

setWorker(() => new Thread());
platform.files = ofFile;
platform.texts = async (lang) => JSON.parse(await readFile(new URL(`./rules.${lang}.json`, import.meta.url), "utf8"));

/** Adapts a thread of node to the interface of a worker. */
class Thread implements WorkerLike {
  readonly #worker = new Worker(new URL("./worker-script-node.js", import.meta.url));

  constructor() {
    // Pending tasks keep the process alive; an idle thread does not.
    this.#worker.unref();
  }

  postMessage(message: unknown, transfer: ArrayBuffer[]): void {
    this.#worker.ref();
    this.#worker.postMessage(message, transfer as never);
  }

  addEventListener(type: string, heard: (event: never) => void): void {
    this.#worker.on(type, (about: unknown) => {
      if (type === "message") {
        const { done, error } = about as { done?: unknown; error?: unknown };
        if (done !== undefined || error !== undefined || "done" in (about as object)) this.#worker.unref();
        heard({ data: about } as never);
      } else {
        heard({ message: about instanceof Error ? about.message : String(about) } as never);
      }
    });
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}

export * from "./shared.js";
