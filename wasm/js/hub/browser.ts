/** The hub in bundlers: the module is loaded by the first asynchronous function. */

import { platform } from "../platform.js";

platform.hub.usual = () => new URL("./hub.wasm", import.meta.url);

export * from "./api.js";
