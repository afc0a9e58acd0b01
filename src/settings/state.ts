// Where this tool keeps what it remembers from one run to the next: the journal, and what it has learned of a
// service.
import { isAbsolute, join, resolve } from "node:path";
import type { Context } from "../platform/context.ts";
import type { Setting } from "./precedence.ts";
import { variables } from "./variables.ts";

/**
 * The state directory as an absolute path; it need not exist yet. `flag` is the value of --state-dir. A relative
 * XDG_STATE_HOME counts as unset, as the XDG base directory specification demands.
 */
export function stateDirectory(context: StatePlaces, flag?: string): Setting<string> {
  return stateDirectories(context, flag)[0];
}

/** All that would be the state directory, the one that is first. */
export function stateDirectories(
  { env, home, cwd }: StatePlaces,
  flag?: string,
): [Setting<string>, ...Setting<string>[]] {
  const own = env[variables.stateDirectory];
  const xdg = env.XDG_STATE_HOME;
  const candidates = [
    flag !== undefined && { value: resolve(cwd, flag), origin: "--state-dir" },
    own && { value: resolve(cwd, own), origin: variables.stateDirectory },
    xdg && isAbsolute(xdg) && { value: join(xdg, "incident-cli"), origin: "XDG_STATE_HOME" },
  ].filter((candidate) => typeof candidate === "object");
  const fallback = { value: join(home, ".local", "state", "incident-cli"), origin: "default" };
  const [first, ...others] = candidates;
  return first === undefined ? [fallback] : [first, ...others, fallback];
}

type StatePlaces = Pick<Context, "env" | "home" | "cwd">;
