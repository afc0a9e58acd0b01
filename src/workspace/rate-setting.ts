// The rate of this process: the flag, then the environment, then the service's own limit.
import { environmentVariables } from "./environment-variables.ts";
import type { Setting } from "./setting.ts";

/** Spec 8. */
export const documentedRate: Setting<string> = { value: "600/60s", origin: "default" };

/** From the highest rank to the default. */
export function rateSettings(
  env: Readonly<Record<string, string | undefined>>,
  flag: string | undefined,
): readonly Setting<string>[] {
  const variable = env[environmentVariables.rate];
  return [
    ...(flag === undefined ? [] : [{ value: flag, origin: "--rate" }]),
    ...(variable ? [{ value: variable, origin: environmentVariables.rate }] : []),
    documentedRate,
  ];
}
