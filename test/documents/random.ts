/** Numbers that look random, and are the same for the same seed (mulberry32). */
export interface Random {
  readonly below: (count: number) => number;
  /** One of them; undefined of none. */
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined;
  /** All of them in another order. */
  readonly shuffle: <Item>(items: readonly Item[]) => readonly Item[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    below,
    pick: (items) => items[below(items.length)],
    shuffle: (items) => {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = below(last + 1);
        const item = shuffled[last]!;
        shuffled[last] = shuffled[other]!;
        shuffled[other] = item;
      }
      return shuffled;
    },
  };
}
