// Chance with a seed (mulberry32), so that a drill can be run again.
export interface Dice {
  /** At least 0, below 1. */
  roll(): number;
  pick<T>(list: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  let state = seed;
  const roll = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { roll, pick: (list) => list[Math.floor(roll() * list.length)] as never };
}
