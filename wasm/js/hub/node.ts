/** The hub in node, Deno and Bun: the module is read synchronously when it is used for the first time, so that `require` works too. */

import { readFileSync } from "node:fs";

import { platform } from "../platform.js";
import { send } from "./send.js";

platform.hub.read = () => readFileSync(new URL("./hub.wasm", import.meta.url));
platform.send = send;

export * from "./api.js";
