/** The script of the worker, for threads of node. */

import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";

import { setUsual } from "../loading.js";
import type { ToWorker } from "./messages.js";
import { serve } from "./serve.js";

setUsual(
  () => readFileSync(new URL("./core.wasm", import.meta.url)),
  () => readFileSync(new URL("./validate.wasm", import.meta.url)),
);
serve({
  send: (message) => parentPort?.postMessage(message),
  listen: (heard) => parentPort?.on("message", (message: ToWorker) => heard(message)),
});
