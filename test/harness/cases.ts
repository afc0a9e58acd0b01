// How many cases of a large table a run takes: `npm test` a sample, `.ci/run` those that differ, and CASES=all each one.
export const isComplete = process.env.CASES === "all";
export const isThorough = isComplete || process.env.INCIDENT_TEST_SLOW === "included";

/** Every so many rows of a table, in `npm test`. */
export const sampled = <T>(rows: readonly T[], every: number): readonly T[] =>
  isThorough ? rows : rows.filter((_, at) => at % every === 0);
