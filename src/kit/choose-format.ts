// The format of a run: one that its command offers with the flags that are set.
import { Failure } from "../failure.ts";
import { nearest, withSuggestion } from "../text/suggest.ts";
import { ownValue } from "../untrusted-data.ts";
import type { CommandSpec } from "./define-command.ts";
import { longNameIn } from "./flags.ts";
import type { Format } from "./formats.ts";

/** The modes of a command: the name of each flag as its run reads it, its long form, and the formats beside it. */
export function modesOf({ flags, modes = {} }: CommandSpec) {
  return Object.entries(modes).map(([name, outputs]) => {
    return { name, flag: longNameIn(ownValue(flags, name)?.usage ?? name), outputs };
  });
}

/** Every format that the command offers, in some mode. */
export function outputsOf(spec: CommandSpec): readonly Format[] {
  return [...new Set([...spec.outputs, ...modesOf(spec).flatMap(({ outputs }) => outputs)])];
}

/** Throws a `Failure` "usage" for a format that the command does not offer with these flags. */
export function chooseFormat(
  spec: CommandSpec,
  flags: Readonly<Record<string, unknown>>,
  output: string | undefined,
): Format {
  const mode = modesOf(spec).find(({ name }) => ownValue(flags, name) !== undefined);
  const { outputs } = mode ?? spec;
  if (output === undefined) return outputs[0] ?? "text";
  const format = outputs.find((candidate) => candidate === output);
  if (format !== undefined) return format;
  const words = mode === undefined ? spec.name : `${spec.name} ${mode.flag}`;
  const hint = outputs.length === 0 ? "leave -o out" : `use -o with one of: ${outputs.join(", ")}`;
  const other = modesOf(spec).find((each) => each.outputs.some((candidate) => candidate === output));
  throw new Failure("usage", `incident ${words} cannot print "${output}"`, {
    hint:
      other === undefined ? withSuggestion(hint, nearest(output, outputs)) : `${hint}; or add ${other.flag}`,
  });
}
