// Chance with a seed (mulberry32), so that a drill can be run again.
export interface Dice {
  /** At least 0, below 1. */
  roll(): number;
  pick<T>(list: readonly T[]): T;
  /** A whole number of at least 0, below `count`. */
  below(count: number): number;
}

export function createDice(seed: number): Dice {
  let state = seed;
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (count: number) => Math.floor(roll() * count);
  return { roll, below, pick: (list) => list[below(list.length)] as never };
}
