/** Harvesting and checking OAI-PMH repositories in node: the module is read synchronously when it is used for the first time, so that `require` works too. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { platform } from "../platform.js";

platform.allHeaders = true;
platform.sha256 = () => createHash("sha256");
platform.oai.read = () => readFileSync(new URL("./oai.wasm", import.meta.url));

export * from "./api.js";
