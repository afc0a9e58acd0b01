// The settings of `incident apply`, which only variables have.
import { Failure } from "../../failure.ts";
import { ownValue } from "../../untrusted-data.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";
import { oneOf } from "../../workspace/precedence.ts";

/** How many incidents `apply` reads or declares in parallel. Throws a `Failure` "usage". */
export function concurrencySetting(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const name = environmentVariables.concurrency;
  const value = ownValue(env, name)?.trim();
  if (!value) return undefined;
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new Failure("usage", `${name} cannot be "${value}"`, { hint: "write a number from 1 to 9999" });
}

/** Whether `apply` reads incidents that the journal knows as declared. Throws a `Failure` "usage". */
export function refreshSetting(env: Readonly<Record<string, string | undefined>>): boolean {
  const origin = environmentVariables.refresh;
  const value = ownValue(env, origin)?.trim();
  return !value || oneOf(["true", "false"], { value, origin })?.value === "true";
}
