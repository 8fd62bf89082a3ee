/** The client of a worker, for browsers and bundlers. */

import { platform } from "../platform.js";
import { fetched } from "../texts.js";
import { setWorker } from "./engine.js";

setWorker(() => new Worker(new URL("./worker-script.js", import.meta.url), { type: "module" }));
platform.texts = (lang) =>
  fetched(lang === "ja" ? new URL("./rules.ja.json", import.meta.url) : new URL("./rules.en.json", import.meta.url));

export * from "./shared.js";
