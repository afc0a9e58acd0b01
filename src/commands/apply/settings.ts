// The setting of `incident apply` that only a variable has.
import { Failure } from "../../failure.ts";
import { ownValue } from "../../untrusted-data.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";

/** How many incidents `apply` reads or declares in parallel. Throws a `Failure` "usage". */
export function concurrencySetting(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const name = environmentVariables.concurrency;
  const value = ownValue(env, name)?.trim();
  if (!value) return undefined;
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new Failure("usage", `${name} cannot be "${value}"`, { hint: "write a number from 1 to 9999" });
}
