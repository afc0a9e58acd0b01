// A setting: a value together with its origin.

/** The source of a value, as a user can find it: a flag, an environment variable, `file:line`, or `default`. */
export type Origin = string;

export interface Setting<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** A setting whose origin is found when it is asked for: the line in a file takes a parser with positions. */
export function settingFrom<T>(value: T, findOrigin: () => Origin): Setting<T> {
  return {
    value,
    get origin() {
      return findOrigin();
    },
  };
}

export function withValue<T>(setting: Setting<unknown>, value: T): Setting<T> {
  return settingFrom(value, () => setting.origin);
}
