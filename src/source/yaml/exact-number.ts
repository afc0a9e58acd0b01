// Numbers of YAML, whose integers have no bound.

/** Converts an integer to a number if that loses no precision. */
export function toExactNumber(integer: bigint): number | bigint {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
