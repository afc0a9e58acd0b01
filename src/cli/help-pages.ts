// The help of a command, from its spec, and of a group of commands.
import type { CommandSpec } from "../kit/define-command.ts";
import type { FlagSpec } from "../kit/flags.ts";
import { formatsOf, modesOf } from "../kit/formats.ts";
import { parserFlags } from "../kit/global-flags.ts";
import { renderRows, rowOfFlag, wrapParagraphs } from "./help.ts";
import { aloneIn, commandsIn, groups, type Row } from "./registry.ts";

/** Of a command, or of the group with this name. */
export async function renderHelpOf(of: Row | string): Promise<string> {
  return typeof of === "string" ? renderGroupHelp(of) : renderHelp(of, (await of.load()).spec);
}

export function renderHelp({ summary }: Pick<Row, "summary">, spec: CommandSpec): string {
  const { examples, name, notes, operands = "", result } = spec;
  const outputs = formatsOf(spec, result);
  const shown = Object.entries(examples).map(([command, text]) => `  # ${text}\n  ${command}`);
  return `${[
    `Usage: incident ${name} [options] ${operands}`.trimEnd(),
    sentence(summary),
    ...renderFlags([...Object.values(spec.flags), parserFlags.help]),
    `Examples:\n${shown.join("\n\n")}`,
    ...(notes === undefined ? [] : [wrapParagraphs(notes)]),
    [
      ...(outputs.length > 1 ? [`Output (-o): ${outputs.join(", ")}.`] : []),
      ...modesOf(spec).map((mode) => `With ${mode.flag}: ${mode.outputs.join(", ")}.`),
      "Options of every command, and exit codes: incident --help",
    ].join("\n"),
  ].join("\n\n")}\n`;
}

function renderGroupHelp(group: string): string {
  const alone = aloneIn(group);
  const more = `incident ${group} COMMAND --help says more.`;
  return `${[
    `Usage: incident ${group} <command> [options]`,
    sentence(groups.get(group) ?? ""),
    renderRows([...commandsIn(group)]),
    wrapParagraphs(alone === undefined ? more : `incident ${group} alone is incident ${alone.name}. ${more}`),
  ].join("\n\n")}\n`;
}

/** The flags under their headings, in columns that are aligned. */
function renderFlags(flags: readonly FlagSpec[]): readonly string[] {
  const headings = [...new Set(flags.map(({ group = "Options" }) => group))];
  const width = Math.max(...flags.map(({ usage }) => usage.length));
  return headings.map((heading) => {
    const shown = flags.filter(({ group = "Options" }) => group === heading).map(rowOfFlag);
    return `${heading}:\n${renderRows(shown, width)}`;
  });
}

const sentence = (summary: string) => `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
