/** The name that was probably meant. */

/** Insertions, deletions and substitutions of letters from one word to another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (let to = 0; to < b.length; to++) {
      const [corner = 0, above = 0, left = 0] = [row[to], row[to + 1], next[to]];
      next.push(Math.min(corner + Number(letter !== b[to]), above + 1, left + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The name with the smallest edit distance, if it is similar. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const far = (name: string): number => distance(word.toLowerCase().slice(0, 64), name.toLowerCase());
  const [near] = Array.from(names, (name) => [far(name), name] as const).sort(([a], [b]) => a - b);
  return near && near[0] <= Math.max(1, Math.floor(near[1].length / 3)) ? near[1] : undefined;
}
