/** Following Change Lists in Cloudflare Workers: the compiled module is imported, and ready at its first use. */

import sync from "./sync.wasm";

import { platform } from "../platform.js";

platform.sync.read = () => sync;

export * from "./api.js";
