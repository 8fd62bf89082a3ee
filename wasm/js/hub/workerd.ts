/** The hub in Cloudflare Workers: the compiled module is imported, and ready at its first use. */

import hub from "./hub.wasm";

import { platform } from "../platform.js";

platform.hub.read = () => hub;

export * from "./api.js";
