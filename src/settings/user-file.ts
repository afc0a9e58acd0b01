// Where the user's settings file is. Apart from what may stand in it, so that nothing is loaded to find it.
import { isAbsolute, join } from "node:path";
import type { Context } from "../platform/context.ts";

/** The file, or where it would be. A relative XDG_CONFIG_HOME counts as unset, as the XDG specification demands. */
export function userSettingsFile({ env, home }: Pick<Context, "env" | "home">): string {
  const xdg = env.XDG_CONFIG_HOME;
  return join(xdg && isAbsolute(xdg) ? xdg : join(home, ".config"), "incident-cli", "config.yaml");
}
