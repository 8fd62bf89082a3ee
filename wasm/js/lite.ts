/** The entry that brings no module: give it one by `init` or `initSync`. */

export * from "./api.js";
