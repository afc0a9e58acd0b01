// The profile that `login` and `logout` act on.

import { Failure } from "../failure.ts";
import type { System } from "../platform/context.ts";
import { environmentVariables } from "./environment-variables.ts";
import type { UserSettings } from "./profiles.ts";

/** The named profile, or else the default profile, or else `default`. */
export function profileName(
  { env }: Pick<System, "env">,
  { profile }: { readonly profile?: string | undefined },
  user: UserSettings | undefined,
): string {
  const name =
    profile ?? (env[environmentVariables.profile]?.trim() || user?.defaultProfile?.value) ?? "default";
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return name;
  throw new Failure("usage", "the profile's name has other characters than letters, digits, dot, - and _", {
    hint: "choose a name such as production",
  });
}
