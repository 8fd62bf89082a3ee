/** Notifications in Cloudflare Workers: the compiled module is imported, and ready at its first use. */

import notify from "./notify.wasm";

import { platform } from "../platform.js";

platform.notify.read = () => notify;

export * from "./api.js";
