/** The entry point for Cloudflare Workers: the compiled module is imported and ready after import. */

import core from "./core.wasm";

import { initSync } from "./loading.js";

initSync(core);

export * from "./api.js";
