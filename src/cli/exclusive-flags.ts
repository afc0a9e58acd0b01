// The flags of a command that exclude each other: commander finds two of them on a command line.
import { Failure } from "../failure.ts";
import type { CommandSpec } from "../kit/define-command.ts";
import { longNameIn } from "../kit/flags.ts";
import { ownValue } from "../own-value.ts";

/** The names of the flags that the flag `name` excludes, each pair once. */
export function excludedBy({ exclusive = [] }: CommandSpec, name: string): string[] {
  return exclusive.flatMap(([one, other]) => (one === name ? [other] : []));
}

/** The failure for a message of commander, which names the two flags by their usage alone. */
export function exclusiveFailure({ exclusive = [], flags }: CommandSpec, message: string): Failure {
  const usages = [...message.matchAll(/'(.*?)'/g)].map(([, usage = ""]) => usage);
  const [, , hint = "leave one of the two out"] =
    exclusive.find((pair) => usages.every((usage, at) => ownValue(flags, pair[at] ?? "")?.usage === usage)) ??
    [];
  return new Failure("usage", `${usages.map(longNameIn).join(" and ")} cannot be used together`, { hint });
}
