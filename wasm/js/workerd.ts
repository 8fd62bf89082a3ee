/** The entry point for Cloudflare Workers: the compiled module is imported, and ready at its first use. */

import core from "./core.wasm";

import { platform } from "./platform.js";

platform.core.read = () => core;

export * from "./api.js";
