/** The entry point that contains the module: nothing is fetched, and bundlers need no support for wasm. */

import core from "./core.wasm.base64";

import { platform } from "./platform.js";

platform.core.usual = () => Uint8Array.from(atob(core), (letter) => letter.charCodeAt(0));
// Also if the entry point for browsers was imported before.
platform.validate.usual = undefined;

export * from "./api.js";
