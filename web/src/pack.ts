// Compresses a small document into a link, and decompresses it within limits.

/** Maximum bytes of a compressed document in a link. */
export const MOST = 32 << 10;
/** Maximum decompressed bytes. */
const UNPACKED = 4 << 20;

/** Deflates a document and encodes it for an address. */
export async function pack(file: Blob): Promise<{ text: string; bytes: number }> {
  const stream = file.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return { text: btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""), bytes: bytes.length };
}

/** The document in a link. Throws the message for the user if it is damaged or too large. */
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
