/** The entry that carries the module inside the script: nothing is fetched, no bundler has to know about wasm. */

import core from "./core.wasm.base64";

import { setUsual } from "./loading.js";

setUsual(() => Uint8Array.from(atob(core), (letter) => letter.charCodeAt(0)));

export * from "./api.js";
