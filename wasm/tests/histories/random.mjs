/** Random numbers that a seed repeats (mulberry32): below 1, and integers below a bound. */
export function randoms(seed) {
  let state = seed >>> 0;
  const chance = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  return { chance, below: (count) => Math.floor(chance() * count) };
}
