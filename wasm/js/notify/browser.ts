/** Notifications in browsers and bundlers: the module is loaded by the first asynchronous function. */

import { platform } from "../platform.js";

platform.notify.usual = () => new URL("./notify.wasm", import.meta.url);

export * from "./api.js";
