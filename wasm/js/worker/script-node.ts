/** The script of the worker, for threads of node. */

import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";

import { platform } from "../platform.js";
import type { ToWorker } from "./messages.js";
import { serve } from "./serve.js";

platform.core.usual = () => readFileSync(new URL("./core.wasm", import.meta.url));
platform.validate.usual = () => readFileSync(new URL("./validate.wasm", import.meta.url));
serve({
  send: (message) => parentPort?.postMessage(message),
  listen: (heard) => parentPort?.on("message", (message: ToWorker) => heard(message)),
});
