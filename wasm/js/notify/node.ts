/** Notifications in node: ready after import, and loaded synchronously, so that `require` works too. */

import { readFileSync } from "node:fs";

import { initSync } from "./loading.js";

initSync(readFileSync(new URL("./notify.wasm", import.meta.url)));

export * from "./api.js";
