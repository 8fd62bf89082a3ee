/** The entry point without a module: pass one to `init` or `initSync`. */

export * from "./api.js";
