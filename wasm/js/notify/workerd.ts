/** Notifications in Cloudflare Workers: the compiled module is imported and ready after import. */

import notify from "./notify.wasm";

import { initSync } from "./loading.js";

initSync(notify);

export * from "./api.js";
