/** The entry point for browsers and bundlers: each module is loaded by the first function that needs it. */

import { setUsual } from "./loading.js";
import { setTexts } from "./rules.js";
import { fetched } from "./texts.js";

setUsual(
  () => new URL("./core.wasm", import.meta.url),
  () => new URL("./validate.wasm", import.meta.url),
);
setTexts((lang) =>
  fetched(lang === "ja" ? new URL("./rules.ja.json", import.meta.url) : new URL("./rules.en.json", import.meta.url)),
);

export * from "./api.js";
