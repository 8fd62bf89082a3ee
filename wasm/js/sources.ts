/** Sources of all types: sequential windows of bytes, or random access. */

import { onAbort } from "./abort.js";
import { OptionError, SourceError } from "./errors.js";
import { platform } from "./platform.js";
import type { Bytes, OpenFile, RandomAccess, ByteSource } from "./types.js";

/** Bytes passed to the module at a time. It copies them, so this bounds its growth. */
const WINDOW = 256 << 10;
/** Bytes of a `Blob` read at a time; each read costs almost a millisecond. */
export const BLOCK = 4 << 20;

/** Every type of source. */
export type AnySource = ByteSource | RandomAccess | OpenFile;

/** Converts every type of bytes. */
export function bytesOf(bytes: Bytes): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes.length === 0 ? there(bytes) : bytes;
  if (bytes instanceof ArrayBuffer) return there(bytes);
  if (ArrayBuffer.isView(bytes)) return there(bytes);
  throw new OptionError("the source gave something that is neither bytes nor text");
}

/** The bytes themselves. A transferred buffer, for instance to a worker, must not be treated as an empty one. */
function there(bytes: Bytes): Uint8Array {
  try {
    if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
    const { buffer, byteOffset, byteLength } = bytes;
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    throw gone(error);
  }
}

function gone(cause?: unknown): SourceError {
  return new SourceError("the bytes are not there any more: their buffer was transferred", cause);
}

function isBytes(source: unknown): source is Bytes {
  return source instanceof ArrayBuffer || ArrayBuffer.isView(source);
}

function isBlob(source: unknown): source is Blob {
  return typeof Blob !== "undefined" && source instanceof Blob;
}

function isOpenFile(source: unknown): source is OpenFile {
  if (typeof source !== "object" || source === null || Symbol.asyncIterator in source) return false;
  // Streams of node have a descriptor, too, but are read as streams.
  return typeof (source as OpenFile).fd === "number";
}

function isRandomAccess(source: unknown): source is RandomAccess {
  if (typeof source !== "object" || source === null) return false;
  const { size, read } = source as RandomAccess;
  return typeof size === "number" && typeof read === "function";
}

/** Cuts bytes into windows. */
export function* windows(bytes: Uint8Array): Generator<Uint8Array> {
  const { length } = bytes;
  for (let at = 0; at < length; at += WINDOW) {
    // Transferred meanwhile, they must not be taken for fewer.
    if (bytes.length !== length) throw gone();
    yield bytes.subarray(at, at + WINDOW);
  }
}

/** Throws a `SourceError` for half a character, which UTF-8 does not have. */
export function checkWhole(text: string): void {
  const lone = /\p{Surrogate}/u.exec(text);
  if (lone) throw new SourceError(`the text has half a character at ${lone.index}: give bytes instead`);
}

/** A string as UTF-8 in windows, without a second copy of it. */
export function* encoded(text: string): Generator<Uint8Array> {
  checkWhole(text);
  const encoder = new TextEncoder();
  const room = new Uint8Array(WINDOW);
  for (let at = 0; at < text.length; ) {
    // A third of the buffer in code units always fits; `encodeInto` never splits a surrogate pair.
    const { read, written } = encoder.encodeInto(text.slice(at, at + WINDOW), room);
    at += read;
    yield room.subarray(0, written);
  }
}

/** Throws an `OptionError` unless a source has synchronous access. */
export function isThere(source: unknown): asserts source is string | Bytes {
  if (typeof source === "string" || isBytes(source)) return;
  throw new OptionError("only text and bytes can be read at once; use the function that returns a promise");
}

/** The windows of a source with synchronous access. */
export function windowsSync(source: string | Bytes): Generator<Uint8Array> {
  isThere(source);
  return typeof source === "string" ? encoded(source) : windows(bytesOf(source));
}

/** Random access, if the source supports it. The result of `read` may be overwritten by the next `read`. */
export interface Access {
  readonly size: number;
  readonly block: number;
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

/** Random access to a source; nothing if it can only be read sequentially. */
export function access(source: unknown): Access | undefined {
  if (isBytes(source)) {
    const bytes = bytesOf(source);
    return { size: bytes.length, block: 1 << 20, read: (offset, length) => bytes.subarray(offset, offset + length) };
  }
  if (isBlob(source)) return ofBlob(source);
  if (isOpenFile(source)) {
    if (!platform.files) throw new OptionError("open files can only be read in node");
    try {
      return platform.files(source);
    } catch (error) {
      throw new SourceError(error instanceof Error ? error.message : String(error), error);
    }
  }
  if (isRandomAccess(source)) {
    if (!Number.isSafeInteger(source.size) || source.size < 0) throw new OptionError(`the size of a source is a whole number, not ${source.size}`);
    return { size: source.size, block: BLOCK, read: (offset, length) => checked(source.read(offset, length), length) };
  }
  return undefined;
}

function ofBlob(blob: Blob): Access {
  const room = new Room();
  return { size: blob.size, block: BLOCK, read: (offset, length) => room.read(blob.slice(offset, offset + length), length) };
}

/** Pending readers. Chromium garbage-collects a reader that is only referenced by its own promise, which then never settles. */
const waitedFor = new Set<object>();

/**
 * A reused buffer for reading a `Blob`. New buffers for each chunk accumulate before they are collected: Chromium held 290 MiB of
 * them while reading a file of 2 GiB.
 */
class Room {
  #buffer = new ArrayBuffer(0);

  async read(part: Blob, length: number): Promise<Uint8Array> {
    let reader: ReadableStreamBYOBReader;
    try {
      reader = part.stream().getReader({ mode: "byob" });
    } catch {
      // Not every platform can read a Blob into an existing buffer.
      return new Uint8Array(await part.arrayBuffer());
    }
    if (this.#buffer.byteLength < length) this.#buffer = new ArrayBuffer(length);
    waitedFor.add(reader);
    try {
      for (let filled = 0; filled < length; ) {
        const { done, value } = await reader.read(new Uint8Array(this.#buffer, filled, length - filled));
        if (value) this.#buffer = value.buffer as ArrayBuffer;
        if (done || !value) throw new SourceError("unexpected end of file");
        filled += value.length;
      }
    } finally {
      waitedFor.delete(reader);
    }
    reader.releaseLock();
    return new Uint8Array(this.#buffer, 0, length);
  }
}

function checked(given: Bytes | Promise<Bytes>, length: number): Uint8Array | Promise<Uint8Array> {
  if (given instanceof Promise) return given.then((bytes) => checked(bytes, length));
  const bytes = bytesOf(given);
  if (bytes.length === length) return bytes;
  throw new SourceError(`asked for ${length} bytes, the source gave ${bytes.length}`);
}

/** Throws an `OptionError` if this is not a source. */
export function readable(source: unknown): void {
  if (typeof source === "string" || isBytes(source)) return;
  const is = typeof source === "object" && source !== null;
  if (is && (Symbol.asyncIterator in source || Symbol.iterator in source || "getReader" in source)) return;
  if (is && (isBlob(source) || isOpenFile(source) || isRandomAccess(source))) return;
  throw new OptionError(`the source is neither text, bytes, a Blob, a stream nor an iterable of bytes${meant(source)}`);
}

/** Throws an `OptionError` if this is not a source of a document or a package. */
export function content(source: unknown): void {
  readable(source);
  if (typeof source !== "string" || source.length > LONGEST || !isPlace(source)) return;
  const fix = SCHEME.test(source) ? "URLs are not fetched here: give the `body` of what `fetch` answers" : "paths are not opened here: give the bytes of the file, in node those of `readFile`";
  throw new OptionError(`\`${source}\` is not a document: text is the document itself; ${fix}`);
}

/** The longest text that is taken for a path or a URL. */
const LONGEST = 4096;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** What begins like a path, or ends like the name of a document or package. */
const PATH = /^(?:~|\.{0,2})[/\\]|^[a-z]:[/\\]|\.(?:xml|gz|zip)$/i;

/** Whether a text says where a document is. A document has a tag. */
function isPlace(text: string): boolean {
  return !/[<\r\n]/.test(text) && (SCHEME.test(text) || PATH.test(text));
}

/** Whether a source may have been read before: it gives its bytes once, and does not say how many there are. */
export function isOnce(source: AnySource): boolean {
  return typeof source !== "string" && !Array.isArray(source) && !isBytes(source) && access(source) === undefined;
}

/** A suggestion for what was meant. */
function meant(source: unknown): string {
  if (source instanceof URL) return ": a URL is not fetched here; give the `body` of what `fetch` answers";
  if (typeof Response !== "undefined" && source instanceof Response) return ": look at the status of a Response, then give its `body`";
  if (source instanceof Promise) return ": a promise has to be waited for first";
  return "";
}

/** The windows of a source, read on demand. A stream is cancelled when the signal aborts, even while it stalls. */
export async function* stream(source: AnySource, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  readable(source);
  if (typeof source === "string") return yield* encoded(source);
  if (isBytes(source)) return yield* windows(bytesOf(source));
  const own = access(source);
  if (own) {
    for (let at = 0; at < own.size; at += own.block) {
      yield* windows(await own.read(at, Math.min(own.block, own.size - at)));
    }
    return;
  }
  if ("getReader" in (source as object)) return yield* ofReadable(source as ReadableStream<Bytes>, signal);
  // Streams of node end their iteration when they are destroyed.
  const { destroy, readableEnded } = source as { destroy?: () => void; readableEnded?: boolean };
  if (readableEnded) throw new SourceError("the stream has ended: was it read before? A stream is read once");
  const heard = onAbort(signal, () => destroy?.call(source));
  try {
    for await (const part of source as AsyncIterable<Bytes | string>) yield* pieces(part);
  } finally {
    heard();
  }
}

function pieces(part: Bytes | string): Generator<Uint8Array> {
  return typeof part === "string" ? encoded(part) : windows(bytesOf(part));
}

/** Through a reader, which can be cancelled while it waits, and which all browsers have. */
async function* ofReadable(readable: ReadableStream<Bytes | string>, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  if (readable.locked) throw new SourceError("the stream is locked: was it read before? A stream is read once");
  const reader = readable.getReader();
  const heard = onAbort(signal, (reason) => void reader.cancel(reason).catch(() => undefined));
  let complete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* pieces(value);
    }
    complete = true;
  } finally {
    heard();
    if (!complete) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

/** The name of a source, if it has one. */
export function ownName(source: unknown): string | undefined {
  const name = isBlob(source) ? (source as File).name : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
