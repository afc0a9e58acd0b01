// The pages of the help: of a command, from its spec, and of a group.
import type { CommandSpec } from "../kit/define-command.ts";
import type { FlagSpec } from "../kit/flags.ts";
import { formatsOf, modesOf } from "../kit/formats.ts";
import { parserFlags } from "../kit/global-flags.ts";
import { drawCommand, reflow, renderRows, type TermRow, wrap } from "./help.ts";
import { commandsIn, groups, type Row } from "./registry.ts";

export function renderHelp({ summary }: Pick<Row, "summary">, spec: CommandSpec, columns: number): string {
  const { examples, name, operands = "", result } = spec;
  const outputs = formatsOf(result);
  return [
    wrap(`Usage: incident ${name} [options] ${operands}`.trimEnd(), columns, 4).join("\n"),
    reflow(sentence(summary), columns),
    ...renderFlags([...Object.values(spec.flags), parserFlags.help], columns),
    `Examples:\n${Object.entries(examples)
      .map(([command, text]) => {
        const comment = wrap(text, columns - 4).map((line) => `  # ${line}`);
        return [...comment, drawCommand(command, columns)].join("\n");
      })
      .join("\n\n")}`,
    ...(spec.notes === undefined ? [] : [reflow(spec.notes.trimEnd(), columns)]),
    [
      ...(outputs.length > 1 ? [`Output (-o): ${outputs.join(", ")}.`] : []),
      ...modesOf(spec).map((mode) => `With ${mode.flag}: ${mode.outputs.join(", ")}.`),
      "Options of every command: incident help options",
    ]
      .map((line) => `${reflow(line, columns)}\n`)
      .join(""),
  ].join("\n\n");
}

export function renderGroupHelp(group: string, columns: number): string {
  const { alone, summary = "" } = groups.get(group) ?? {};
  const more = `incident ${group} COMMAND --help says more.`;
  return [
    wrap(`Usage: incident ${group} <command> [options]`, columns, 4).join("\n"),
    reflow(sentence(summary), columns),
    renderRows([...commandsIn(group)], columns),
    `${reflow(alone === undefined ? more : `incident ${group} alone is incident ${alone}. ${more}`, columns)}\n`,
  ].join("\n\n");
}

/** The flags under their headings, in columns that are aligned. */
function renderFlags(flags: readonly FlagSpec[], columns: number): readonly string[] {
  const headings = [...new Set(flags.map(({ group = "Options" }) => group))];
  const width = Math.max(...flags.map(({ usage }) => usage.length));
  return headings.map((heading) => {
    const shown = flags.filter(({ group = "Options" }) => group === heading).map(rowOfFlag);
    return `${heading}:\n${renderRows(shown, columns, width)}`;
  });
}

export function rowOfFlag({ choices, summary, usage }: FlagSpec): TermRow {
  return [usage, choices === undefined ? summary : `${summary} (${choices.join(", ")})`];
}

const sentence = (summary: string) => `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
