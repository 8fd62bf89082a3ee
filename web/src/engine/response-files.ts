// Whether files look like responses of OAI-PMH repositories, or recordings of them.

import type { Given } from "../state.js";

/** Bytes in which the root of a response, or the first member of a recording, begins. */
export const HEAD = 4 << 10;
/** A first look, without the module, which then decides. */
const LOOKS_LIKE = /<(?:[\w.-]+:)?OAI-PMH[\s/>]|^\ufeff?\s*\{\s*"log"/;

/** Whether all files may be responses or recordings. */
export async function mayBeResponses(given: readonly Given[]): Promise<boolean> {
  for (const { file } of given) if (!LOOKS_LIKE.test(await file.slice(0, HEAD).text().catch(() => ""))) return false;
  return given.length > 0;
}
