// The help of one command: the usage that the parser renders, then the examples, the notes and the formats.
import type { CommandSpec } from "../../commands/define-command.ts";

/** A group has no spec, and only its usage as help. */
export async function renderHelp(usage: string, spec: CommandSpec | undefined): Promise<string> {
  if (spec === undefined) return usage;
  const { examples, outputs } = spec;
  const width = Math.max(...examples.map(({ command }) => command.length));
  const notes = typeof spec.notes === "function" ? await spec.notes() : spec.notes;
  const lines = [
    "",
    "Examples:",
    ...examples.map(({ command, summary }) => `  ${command.padEnd(width)}  # ${summary}`),
    "",
    ...(notes === undefined ? [] : [notes]),
    ...(outputs.length > 1 ? [`Output (-o): ${outputs.join(", ")}.`] : []),
    "Options of every command: incident help options",
  ];
  return usage + lines.map((line) => `${line}\n`).join("");
}
