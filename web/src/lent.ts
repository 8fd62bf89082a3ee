// Goes before the script of a worker that cannot read files: the page reads them for it (src/engine/lend.ts).

import type { Lent, Wanted } from "./engine/lend.js";

const waiting = new Map<number, { resolve(bytes: ArrayBuffer): void; reject(error: DOMException): void }>();
let next = 0;

addEventListener("message", (event: MessageEvent<Lent | { lent?: never }>) => {
  const { data } = event;
  if (typeof data !== "object" || data?.lent === undefined) return;
  event.stopImmediatePropagation();
  const own = waiting.get(data.lent);
  waiting.delete(data.lent);
  if ("bytes" in data) own?.resolve(data.bytes);
  else own?.reject(new DOMException(data.message, data.name));
});

/** Bytes of a stream that are read at once. */
const PART = 1 << 20;

Object.assign(Blob.prototype, {
  arrayBuffer(this: Blob) {
    return new Promise<ArrayBuffer>((resolve, reject) => {
      waiting.set(next, { resolve, reject });
      postMessage({ wanted: next++, blob: this } satisfies Wanted);
    });
  },
  async text(this: Blob) {
    return new TextDecoder().decode(await this.arrayBuffer());
  },
  stream(this: Blob) {
    let at = 0;
    return new ReadableStream({
      pull: async (controller) => {
        if (at >= this.size) return controller.close();
        const bytes = new Uint8Array(await this.slice(at, (at += PART)).arrayBuffer());
        controller.enqueue(bytes);
      },
    });
  },
});
