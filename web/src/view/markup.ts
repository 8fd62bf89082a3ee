// The parts of markup in the bytes of a row, for their colours.

/** Names with brackets, names of attributes, their values, comments. */
export type Part = "tag" | "name" | "value" | "comment";

export interface Range {
  from: number;
  to: number;
  part: Part;
}

const [LESS, MORE, EQUALS, SLASH, QUESTION] = [60, 62, 61, 47, 63];

/** The parts of a row. It may begin within a tag, whose beginning is in the row before. */
export function markup(bytes: Uint8Array): Range[] {
  const found: Range[] = [];
  const [less, more] = [bytes.indexOf(LESS), bytes.indexOf(MORE)];
  let at = 0;
  if (more >= 0 && (less < 0 || more < less)) at = attributes(bytes, 0, found);
  for (;;) {
    const start = bytes.indexOf(LESS, at);
    if (start < 0) return found;
    if (starts(bytes, start, "<!--")) {
      at = past(bytes, start, "-->");
      found.push({ from: start, to: at, part: "comment" });
    } else if (starts(bytes, start, "<![CDATA[")) {
      at = past(bytes, start, "]]>");
    } else {
      let end = start + 1;
      while (end < bytes.length && !isSpace(bytes[end]) && bytes[end] !== MORE && (bytes[end] !== SLASH || end === start + 1)) end += 1;
      found.push({ from: start, to: end, part: "tag" });
      at = attributes(bytes, end, found);
    }
  }
}

/** Reads to the end of a tag; returns where it is. */
function attributes(bytes: Uint8Array, from: number, found: Range[]): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === MORE) {
      found.push({ from: at, to: at + 1, part: "tag" });
      return at + 1;
    }
    if (byte === LESS) return at;
    if (byte === 34 || byte === 39) {
      const end = bytes.indexOf(byte, at + 1);
      const to = end < 0 ? bytes.length : end + 1;
      found.push({ from: at, to, part: "value" });
      at = to;
    } else if (isSpace(byte) || byte === EQUALS) {
      at += 1;
    } else {
      let end = at + 1;
      while (end < bytes.length && !isSpace(bytes[end]) && bytes[end] !== EQUALS && bytes[end] !== MORE) end += 1;
      found.push({ from: at, to: end, part: byte === SLASH || byte === QUESTION ? "tag" : "name" });
      at = end;
    }
  }
  return at;
}

function starts(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((letter, n) => bytes[at + n] === letter.charCodeAt(0));
}

/** Just after a text, or the end. */
function past(bytes: Uint8Array, from: number, text: string): number {
  for (let at = from; at < bytes.length; at++) if (starts(bytes, at, text)) return at + text.length;
  return bytes.length;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}
