/** Following Change Lists in node: the module is read synchronously when it is used for the first time, so that `require` works too. */

import { readFileSync } from "node:fs";

import { platform } from "../platform.js";

platform.sync.read = () => readFileSync(new URL("./sync.wasm", import.meta.url));

export * from "./api.js";
