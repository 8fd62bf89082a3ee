/** The body of a response, passed on as it arrives. */

import { abortable } from "./abort.js";

/** Passes on the bytes, until `push` returns false. Rejected if the body breaks off, or with the reason of the signal. */
export async function received({ body }: Response, push: (bytes: Uint8Array) => unknown, signal: AbortSignal | undefined): Promise<void> {
  const reader = body?.getReader();
  for (let next = await (reader && abortable(reader.read(), signal)); next && !next.done; next = await (reader && abortable(reader.read(), signal))) {
    if (push(next.value as Uint8Array) === false) return void reader?.cancel().catch(() => undefined);
  }
}
