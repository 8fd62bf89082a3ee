/** Notifications in browsers and bundlers: the module is loaded by the first asynchronous function. */

import { setUsual } from "./loading.js";

setUsual(() => new URL("./notify.wasm", import.meta.url));

export * from "./api.js";
