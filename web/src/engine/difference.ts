// The difference between two texts, line by line, in parts with some lines around each.

/** A line of a difference. */
export interface DiffLine {
  /** In both texts, in the old one only, or in the new one only. */
  side: "both" | "old" | "new";
  /** Its number in the old text, or in the new one for a line that is only there. */
  line: number;
  text: string;
  /** The characters that differ from the line that it replaces, or that replaces it. */
  mark?: [from: number, to: number];
}

/** Lines around a change. */
const AROUND = 3;
/** Characters of a line that are shown, and how many of them precede its first difference. */
const SHOWN = 400;
const BEFORE = 60;

/** Lines that are equal: where they begin in both texts, and how many there are. */
type Block = [old: number, now: number, lines: number];

/** The parts that differ; `most` limits their number. */
export function difference(before: string, after: string, most: number): { parts: DiffLine[][]; total: number } {
  return walk(before.split("\n"), after.split("\n"), most, changed, cut);
}

/** The difference as a patch of a file (unified diff). */
export function patch(name: string, before: string, after: string): string {
  // With their breaks, which the last one may lack.
  const lines = (text: string) => text.split(/(?<=\n)/);
  const plain: Draw = (old, now, one, other) => [
    ...old.map((text, at) => ({ side: "old" as const, line: one + at + 1, text })),
    ...now.map((text, at) => ({ side: "new" as const, line: other + at + 1, text })),
  ];
  const { parts } = walk(lines(before), lines(after), Number.POSITIVE_INFINITY, plain, (text) => text);
  let shift = 0;
  const hunks = parts.map((part) => {
    const of = (side: DiffLine["side"]) => part.filter((line) => line.side === side).length;
    const [both, gone, come] = [of("both"), of("old"), of("new")];
    const start = part.find(({ side }) => side !== "new")?.line ?? 1;
    const head = `@@ -${start},${both + gone} +${start + shift},${both + come} @@\n`;
    shift += come - gone;
    const ended = (text: string) => (text.endsWith("\n") ? text : `${text}\n\\ No newline at end of file\n`);
    return [head, ...part.map(({ side, text }) => `${side === "both" ? " " : side === "old" ? "-" : "+"}${ended(text)}`)].join("");
  });
  return [`--- ${name}\n`, `+++ ${name}\n`, ...hunks].join("");
}

/** Draws lines that replace others, which begin after so many lines in both texts. */
type Draw = (old: readonly string[], now: readonly string[], one: number, other: number) => DiffLine[];

function walk(old: readonly string[], now: readonly string[], most: number, draw: Draw, shown: (text: string) => string): { parts: DiffLine[][]; total: number } {
  const parts: DiffLine[][] = [];
  let total = 0;
  let part: DiffLine[] | null = null;
  let [one, other, equal] = [0, 0, 0];
  const around = (own: DiffLine[], from: number, to: number) => {
    for (let at = from; at < to; at++) own.push({ side: "both", line: at + 1, text: shown(old[at] ?? "") });
  };
  for (const [a, b, lines] of [...blocks(old, now), [old.length, now.length, 0] satisfies Block]) {
    if (a > one || b > other) {
      if (!part) {
        part = [];
        total += 1;
        if (parts.length < most) parts.push(part);
        around(part, Math.max(one - AROUND, one - equal), one);
      }
      part.push(...draw(old.slice(one, a), now.slice(other, b), one, other));
    }
    // Changes with few lines between them are one part.
    const ends: boolean = lines > 2 * AROUND || (a + lines === old.length && b + lines === now.length);
    if (part) around(part, a, a + (ends ? Math.min(lines, AROUND) : lines));
    if (ends) part = null;
    [one, other, equal] = [a + lines, b + lines, lines];
  }
  return { parts, total };
}

/** Equal blocks, in order: at both ends, and around lines that are unique in both texts. */
function blocks(old: readonly string[], now: readonly string[]): Block[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const found: Block[] = [[0, 0, start]];
  const add = (a: number, b: number, lines: number) => {
    const last = found.at(-1);
    if (last && last[0] + last[2] === a && last[1] + last[2] === b) last[2] += lines;
    else if (lines > 0) found.push([a, b, lines]);
  };
  let [one, other] = [start, start];
  const last: [number, number] = [old.length - end, now.length - end];
  for (const [a, b] of [...anchors(old, now, start, end), last]) {
    let lines = 0;
    while (one + lines < a && other + lines < b && old[one + lines] === now[other + lines]) lines += 1;
    add(one, other, lines);
    let back = 0;
    while (a - back > one + lines && b - back > other + lines && old[a - back - 1] === now[b - back - 1]) back += 1;
    const own = back + (a < last[0] ? 1 : 0);
    add(a - back, b - back, own);
    [one, other] = [a - back + own, b - back + own];
  }
  add(last[0], last[1], end);
  return found;
}

function changed(old: readonly string[], now: readonly string[], one: number, other: number): DiffLine[] {
  const own = old.length === now.length ? pairs(old, now) : null;
  return [
    ...old.map((text, at) => own?.[at]?.[0](one + at + 1) ?? { side: "old" as const, line: one + at + 1, text: cut(text) }),
    ...now.map((text, at) => own?.[at]?.[1](other + at + 1) ?? { side: "new" as const, line: other + at + 1, text: cut(text) }),
  ];
}

/** The longest sequence of lines that are unique in both texts and in the same order. */
function anchors(old: readonly string[], now: readonly string[], start: number, end: number): [number, number][] {
  const places = (lines: readonly string[]) => {
    const found = new Map<string, number>();
    for (let at = start; at < lines.length - end; at++) found.set(lines[at] ?? "", found.has(lines[at] ?? "") ? -1 : at);
    return found;
  };
  const [ours, theirs] = [places(old), places(now)];
  const unique = [...ours].flatMap(([line, at]): [number, number][] => {
    const other = theirs.get(line) ?? -1;
    return at >= 0 && other >= 0 ? [[at, other]] : [];
  }).sort(([one], [other]) => one - other);
  // The longest increasing sequence: for each length, the pair that ends it lowest.
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [at, [, place]] of unique.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((unique[ends[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? ends[low - 1] ?? -1 : -1;
    ends[low] = at;
  }
  const chain: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = unique[at];
    if (pair) chain.push(pair);
  }
  return chain.reverse();
}

type Drawn = (line: number) => DiffLine;

/** Lines that replace each other, with the characters that differ. */
function pairs(old: readonly string[], now: readonly string[]): [Drawn, Drawn][] {
  return old.map((one, at): [Drawn, Drawn] => {
    const other = now[at] ?? "";
    let from = 0;
    while (from < one.length && from < other.length && one[from] === other[from]) from += 1;
    let back = 0;
    while (back < one.length - from && back < other.length - from && one[one.length - 1 - back] === other[other.length - 1 - back]) back += 1;
    return [marked("old", one, from, one.length - back), marked("new", other, from, other.length - back)];
  });
}

function marked(side: "old" | "new", text: string, from: number, to: number): Drawn {
  const first = text.length > SHOWN ? Math.max(0, from - BEFORE) : 0;
  const prefix = first > 0 ? 1 : 0;
  const shown = cut(text, first);
  const own = (at: number) => Math.min(shown.length, Math.max(0, at - first + prefix));
  return (line) => ({ side, line, text: shown, mark: [own(from), own(to)] });
}

function cut(text: string, first = 0): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return `${first > 0 ? "…" : ""}${line.slice(first, first + SHOWN)}${line.length > first + SHOWN ? "…" : ""}`;
}
