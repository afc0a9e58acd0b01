// The help of one command: the usage that the parser renders, then the examples, the notes and the formats.
import { modesOf } from "../../kit/choose-format.ts";
import type { CommandSpec } from "../../kit/define-command.ts";
import { reflow, renderExamples, wrap } from "./layout.ts";

/** The help of a command, or of a group, which has no spec: its help is the usage alone. */
export async function renderHelp(
  usage: string,
  spec: CommandSpec | undefined,
  columns: number,
): Promise<string> {
  const head = usage.replace(/^Usage: .*$/m, (line) => wrap(line, columns, 4).join("\n"));
  if (spec === undefined) return head;
  const { examples, flags, outputs } = spec;
  const hasEmergency = Object.values(flags).some(({ topic }) => topic === "emergency");
  const notes = typeof spec.notes === "function" ? await spec.notes() : spec.notes;
  const parts = [
    "Examples:",
    renderExamples(examples, columns),
    ...(notes === undefined ? [] : ["", reflow(notes.trimEnd(), columns)]),
    "",
    ...(outputs.length > 1 ? [reflow(`Output (-o): ${outputs.join(", ")}.`, columns)] : []),
    ...modesOf(spec).map(({ flag, outputs }) => reflow(`With ${flag}: ${outputs.join(", ")}.`, columns)),
    reflow("Options of every command: incident help options", columns),
    ...(hasEmergency ? [reflow("Options for an emergency: incident help emergency", columns)] : []),
  ];
  return `${head}\n${parts.join("\n")}\n`;
}
