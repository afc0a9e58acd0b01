// A setting: a value together with its origin.

/** The source of a value, as a user can find it: a flag, an environment variable, `file:line`, or `default`. */
export type Origin = string;

export interface Setting<T> {
  readonly value: T;
  readonly origin: Origin;
}
