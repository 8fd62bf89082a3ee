/** Following Change Lists in browsers and bundlers: the module is loaded by the first asynchronous function. */

import { platform } from "../platform.js";

platform.sync.usual = () => new URL("./sync.wasm", import.meta.url);

export * from "./api.js";
