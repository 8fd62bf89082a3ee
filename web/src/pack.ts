// Packs a small document into a link, and unpacks it within bounds.

/** Bytes of a packed document that may go into a link. */
export const MOST = 32 << 10;
/** Bytes it may unpack to. */
const UNPACKED = 4 << 20;

/** Deflates a document and writes it in letters that an address may have. */
export async function pack(file: Blob): Promise<{ text: string; bytes: number }> {
  const stream = file.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { text: btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""), bytes: bytes.length };
}

/** The document in a link. Throws what the user is told if it is damaged, or larger than a link may carry. */
export async function unpack(text: string): Promise<Blob> {
  if (text.length > MOST * 2) throw new Error("longer than a link may carry");
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type: "application/xml" });
    parts.push(value as Uint8Array<ArrayBuffer>);
    if ((size += value.length) > UNPACKED) throw new Error("unpacks to more than a link may carry");
  }
}
