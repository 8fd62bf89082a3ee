/** The script of the worker, for browsers: one file without imports. */

import { platform } from "../platform.js";
import type { ToWorker } from "./messages.js";
import { serve } from "./serve.js";

platform.core.usual = () => new URL("./core.wasm", import.meta.url);
platform.validate.usual = () => new URL("./validate.wasm", import.meta.url);
serve({
  send: (message) => self.postMessage(message),
  listen: (heard) => self.addEventListener("message", (event: MessageEvent<ToWorker>) => heard(event.data)),
});
