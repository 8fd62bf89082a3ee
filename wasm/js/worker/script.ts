/** The script of the worker, for browsers: one file without imports. */

import { setUsual } from "../loading.js";
import type { ToWorker } from "./messages.js";
import { serve } from "./serve.js";

setUsual(
  () => new URL("./core.wasm", import.meta.url),
  () => new URL("./validate.wasm", import.meta.url),
);
serve({
  send: (message) => self.postMessage(message),
  listen: (heard) => self.addEventListener("message", (event: MessageEvent<ToWorker>) => heard(event.data)),
});
