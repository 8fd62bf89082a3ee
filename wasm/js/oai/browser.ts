/** Harvesting and checking OAI-PMH repositories in browsers and bundlers: the module is loaded by the first asynchronous function. */

import { platform } from "../platform.js";

platform.oai.usual = () => new URL("./oai.wasm", import.meta.url);

export * from "./api.js";
