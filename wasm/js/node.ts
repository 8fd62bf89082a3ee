/** The entry point for node: ready after import, and loaded synchronously, so that `require` works too. */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { ofFile } from "./files.js";
import { initSync } from "./loading.js";
import { setTexts } from "./rules.js";
import { setFiles } from "./sources.js";

initSync(readFileSync(new URL("./core.wasm", import.meta.url)));
setTexts(async (lang) => JSON.parse(await readFile(new URL(`./rules.${lang}.json`, import.meta.url), "utf8")));
setFiles(ofFile);

export * from "./api.js";
export { SourceFolder, type SetHistory } from "./source-folder.js";
