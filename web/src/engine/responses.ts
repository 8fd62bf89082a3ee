// Responses of OAI-PMH repositories, and recordings of them: each is checked by itself. The module for it is loaded for such files only.

import { init, oaiKind, validateResponses } from "resourcesync/oai";
import type { Given, Report } from "../state.js";
import { HEAD } from "./response-files.js";

export interface Responses {
  given: readonly Given[];
  wasm: WebAssembly.Module;
  options: { profile: "standard" | "strict"; maxPerRule: number };
}

/** The report of `resourcesync oai validate`; null if a file is something else. */
export async function responses({ given, wasm, options }: Responses): Promise<Report | null> {
  await init(wasm);
  for (const { file } of given) {
    if (oaiKind(new Uint8Array(await file.slice(0, HEAD).arrayBuffer())) === undefined) return null;
  }
  return validateResponses(given.map(({ file, name }) => ({ source: file, name })), options);
}
