// What a Destination would do with the given files as a whole Source: the dry run of `resourcesync sync`, by its machine.

import { init } from "resourcesync/lite";
import { dryRun, init as initSync, type Outlook } from "resourcesync/sync";
import type { Given } from "../state.js";
import { Files } from "./whole.js";

export interface AskOutlook {
  given: readonly Given[];
  wasm: WebAssembly.Module;
  sync: WebAssembly.Module;
  /** The URI that the folder stands for. */
  base: string;
  /** When the copy was in step that continues. */
  since?: string;
}

/** Resources that the answer names. */
const LISTED = 100;

export async function outlook({ given, wasm, sync, base, since }: AskOutlook): Promise<Outlook> {
  await Promise.all([init(wasm), initSync(sync)]);
  const files = new Files(given, base);
  return dryRun(files.first() ?? base, { maxListed: LISTED, fetch: async (uri) => respond(files, uri), ...(since && { since }) });
}

/** A file as its server would send it. */
function respond(files: Files, uri: string): Response {
  const found = files.get(uri, false);
  return "body" in found && found.body instanceof Blob ? new Response(found.body.stream()) : new Response(null, { status: 404 });
}
