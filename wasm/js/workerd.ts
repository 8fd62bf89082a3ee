/** The entry for Cloudflare's workers: the module is imported, compiled already, and ready at import. */

import core from "./core.wasm";

import { initSync } from "./loading.js";

initSync(core);

export * from "./api.js";
