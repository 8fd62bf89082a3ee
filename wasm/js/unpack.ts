/** Makes objects of the entries that the module packs as text and numbers (`core/src/api/plain/packed.rs`). */

import type { Attribute, Digests, Entry, Length, Link } from "./model.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The places of texts that repeat. */
const PLACES = 64;

/** The entries of a document, a batch at a time. */
export class Unpacker {
  readonly #repeated: string[] = [];

  /** The entries of a batch. The module gives start and length of its two texts and of its numbers in its memory. */
  entries(memory: WebAssembly.Memory, places: Uint32Array): Entry[] {
    // It has another buffer after each call that makes it grow.
    const { buffer } = memory;
    const [ownAt, ownLength, relatedAt, relatedLength, numbersAt, length] = places as unknown as [number, number, number, number, number, number];
    const texts = [new Uint8Array(buffer, ownAt, ownLength), new Uint8Array(buffer, relatedAt, relatedLength)] as const;
    const numbers = new Int32Array(buffer, numbersAt, length);
    const entries: Entry[] = [];
    let [own, related, at] = [0, 0, 0];
    while (at < length) {
      const [ownEnd, relatedEnd, end] = numbers.subarray(at, at + 3) as unknown as [number, number, number];
      const from = new Packed(texts[0].subarray(own, ownEnd), texts[1].subarray(related, relatedEnd), numbers, at + 3, this.#repeated);
      while (from.at < end) entries.push(entry(from));
      [own, related, at] = [ownEnd, relatedEnd, end];
    }
    return entries;
  }
}

/** A text whose parts are values. */
class Text {
  readonly #bytes: Uint8Array;
  readonly #whole: string;
  readonly #isAscii: boolean;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#whole = decoder.decode(bytes);
    // Any other character takes more bytes than code units.
    this.#isAscii = this.#whole.length === bytes.length;
  }

  cut(from: number, to: number): string {
    // A slice shares the text.
    return this.#isAscii ? this.#whole.slice(from, to) : decoder.decode(this.#bytes.subarray(from, to));
  }
}

/** The numbers of a part from `at` on, and its texts. */
class Packed {
  at: number;
  #text: Text;
  #other: Text;
  readonly #numbers: Int32Array;
  readonly #repeated: string[];

  constructor(own: Uint8Array, related: Uint8Array, numbers: Int32Array, at: number, repeated: string[]) {
    this.at = at;
    this.#text = new Text(own);
    this.#other = new Text(related);
    this.#numbers = numbers;
    this.#repeated = repeated;
  }

  /** Continues in the other text. */
  change(): void {
    const text = this.#text;
    this.#text = this.#other;
    this.#other = text;
  }

  number(): number {
    return this.#numbers[this.at++] as number;
  }

  length(): Length {
    const low = this.number() >>> 0;
    const high = this.number() >>> 0;
    return high < 1 << 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
  }

  text(): string {
    const from = this.number();
    if (from >= 0) return this.#text.cut(from, this.number());
    const place = ~from;
    return place < PLACES ? (this.#repeated[place] as string) : (this.#repeated[place - PLACES] = this.#text.cut(this.number(), this.number()));
  }
}

function list<T>(from: Packed, one: (from: Packed) => T): T[] {
  const all = new Array<T>(from.number());
  for (let at = 0; at < all.length; at++) all[at] = one(from);
  return all;
}

function text(from: Packed): string {
  return from.text();
}

function entry(from: Packed): Entry {
  // The assignments are the order of the keys.
  const own: Entry = { uri: from.text() };
  const has = from.number();
  if (has & 1) own.lastmod = from.text();
  if (has & (1 << 1)) own.changefreq = from.text();
  if (has & (1 << 2)) own.priority = from.text();
  if (has & (1 << 3)) own.change = from.text();
  if (has & (1 << 4)) own.datetime = from.text();
  if (has & (1 << 5)) own.capability = from.text();
  if (has & (1 << 6)) own.at = from.text();
  if (has & (1 << 7)) own.completed = from.text();
  if (has & (1 << 8)) own.from = from.text();
  if (has & (1 << 9)) own.until = from.text();
  if (has & (1 << 10)) own.hashes = digests(from);
  if (has & (1 << 11)) own.length = from.length();
  if (has & (1 << 12)) own.type = from.text();
  if (has & (1 << 13)) own.encoding = from.text();
  if (has & (1 << 14)) own.path = from.text();
  from.change();
  if (has & (1 << 15)) own.links = list(from, link);
  if (has & (1 << 16)) own.attributes = list(from, attribute);
  if (has & (1 << 17)) own.elements = list(from, text);
  from.change();
  return own;
}

function link(from: Packed): Link {
  const own: Link = {};
  const has = from.number();
  if (has & 1) own.rel = from.text();
  if (has & (1 << 1)) own.href = from.text();
  if (has & (1 << 2)) own.pri = from.length() as number;
  if (has & (1 << 3)) own.modified = from.text();
  if (has & (1 << 4)) own.hashes = digests(from);
  if (has & (1 << 5)) own.length = from.length();
  if (has & (1 << 6)) own.type = from.text();
  if (has & (1 << 7)) own.encoding = from.text();
  if (has & (1 << 8)) own.path = from.text();
  if (has & (1 << 9)) own.attributes = list(from, attribute);
  return own;
}

function attribute(from: Packed): Attribute {
  const own = { name: from.text() } as Attribute;
  const has = from.number();
  if (has & 1) own.namespace = from.text();
  if (has & (1 << 1)) own.prefix = from.text();
  own.value = from.text();
  return own;
}

function digests(from: Packed): Digests {
  const own: Digests = {};
  for (let left = from.number(); left > 0; left--) {
    // With their names in the code, assignments take a third of the time.
    switch (from.number()) {
      case 1:
        own.md5 = from.text();
        break;
      case 2:
        own["sha-1"] = from.text();
        break;
      case 3:
        own["sha-256"] = from.text();
        break;
      case 4:
        own["sha-384"] = from.text();
        break;
      case 5:
        own["sha-512"] = from.text();
        break;
      default:
        // A name may be `__proto__`.
        Object.defineProperty(own, from.text(), { value: from.text(), writable: true, enumerable: true, configurable: true });
    }
  }
  return own;
}
