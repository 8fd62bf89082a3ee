/** The entry point for browsers and bundlers: each module is loaded by the first function that needs it. */

import { platform } from "./platform.js";
import { fetched } from "./texts.js";

platform.core.usual = () => new URL("./core.wasm", import.meta.url);
platform.validate.usual = () => new URL("./validate.wasm", import.meta.url);
platform.texts = (lang) =>
  fetched(lang === "ja" ? new URL("./rules.ja.json", import.meta.url) : new URL("./rules.en.json", import.meta.url));

export * from "./api.js";
