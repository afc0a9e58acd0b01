// Writes a parsed command line out again, with some of its flags changed: the command that a person confirms.

import { ownValue } from "../untrusted-data.ts";
import type { CommandSpec, Input } from "./define-command.ts";
import { type FlagSpecs, longNameIn } from "./flags.ts";
import { formatsOf } from "./formats.ts";
import { globalFlags } from "./global-flags.ts";

type FlagChanges = Readonly<Record<string, string | boolean | undefined>>;

/** The words of the command line. `changes` replaces the values of flags of the command; undefined leaves one out. */
export function writeCommandLine(
  spec: CommandSpec,
  { flags, format, global, operands }: Pick<Input, "flags" | "format" | "global" | "operands">,
  changes: FlagChanges = {},
): readonly string[] {
  const [fallback, ...others] = formatsOf(spec, spec.result);
  return [
    "incident",
    ...spec.name.split(" "),
    ...wordsOf(spec.flags, { ...flags, ...changes }),
    ...wordsOf(globalFlags, global),
    ...(format !== fallback && others.includes(format) ? ["--output", format] : []),
    ...(operands.some((operand) => operand.startsWith("-")) ? ["--"] : []),
    ...operands,
  ];
}

function wordsOf(specs: FlagSpecs, values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(specs).flatMap(([name, { kind, usage }]) => {
    const value = ownValue(values, name);
    if (value === undefined || value === false) return [];
    const flag = longNameIn(usage);
    if (kind === "switch") return [flag];
    const words =
      kind === "list"
        ? (value as readonly string[])
        : [kind === "duration" ? `${Number(value) / 1000}s` : String(value)];
    return words.flatMap((word) => [flag, word]);
  });
}
