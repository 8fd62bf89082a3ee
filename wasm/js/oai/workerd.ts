/** Harvesting and checking OAI-PMH repositories in Cloudflare Workers: the compiled module is imported, and ready at its first use. */

import oai from "./oai.wasm";

import { platform } from "../platform.js";

platform.oai.read = () => oai;

export * from "./api.js";
