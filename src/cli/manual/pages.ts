// The pages of the manual as data, from the specs of the commands and the tables of the help. man-page.ts and
// markdown.ts draw them.
import type { CommandSpec } from "../../commands/define-command.ts";
import { type NoteBlock, parseNotes } from "../help/notes.ts";
import { apiLimit, firstSteps } from "../help/overview.ts";
import { tables } from "../help/topics.ts";
import { specs } from "../registry.ts";

export type ManualSection =
  | { readonly title: string; readonly rows: readonly (readonly [term: string, summary: string])[] }
  | { readonly title: string; readonly notes: readonly NoteBlock[] }
  | { readonly title: string; readonly examples: CommandSpec["examples"] }
  | { readonly title: string; readonly pages: readonly string[] };

export interface ManualPage {
  readonly name: string;
  readonly summary: string;
  readonly synopsis: string;
  readonly sections: readonly ManualSection[];
}

/** The page of the program, and one for each command. */
export async function createManual(): Promise<readonly ManualPage[]> {
  return [programPage(), ...(await Promise.all(specs.map(commandPage)))];
}

const pageOf = ({ name }: CommandSpec) => `incident ${name}`;

function programPage(): ManualPage {
  return {
    name: "incident",
    summary: "declare status page incidents from YAML files, exactly once",
    synopsis: "incident <command> [options] [operand...]",
    sections: [
      { title: "Description", notes: parseNotes(apiLimit) },
      { title: "First steps", rows: firstSteps },
      { title: "Commands", rows: tables.commands.map(([term, summary]) => [`incident ${term}`, summary]) },
      { title: "Options", rows: tables.options },
      { title: "Exit status", rows: tables["exit-codes"].map(([term, next]) => [exitCode(term), next]) },
      { title: "Environment", rows: tables.environment },
      { title: "Files", rows: tables.files },
      { title: "See also", pages: specs.map(pageOf) },
    ],
  };
}

/** Removes the alignment of a term: `  0  done` becomes `0 done`. */
const exitCode = (term: string) => term.trim().replace(/\s+/, " ");

async function commandPage(spec: CommandSpec): Promise<ManualPage> {
  const { name, operands, summary, flags, outputs, examples } = spec;
  const notes = typeof spec.notes === "function" ? await spec.notes() : spec.notes;
  const [group] = name.split(" ");
  const others = specs.filter((other) => other !== spec && other.name.startsWith(`${group} `));
  const rows = Object.values(flags).map((flag): [string, string] => [
    flag.usage,
    flag.choices === undefined ? flag.summary : `${flag.summary}: ${flag.choices.join(", ")}`,
  ]);
  if (outputs.length > 1) {
    const [first, ...rest] = outputs;
    rows.push(["-o, --output <format>", `${first} (the default), ${rest.join(", ")}`]);
  }
  return {
    name: pageOf(spec),
    summary,
    synopsis: ["incident", name, "[options]", operands].filter(Boolean).join(" "),
    sections: [
      ...(notes === undefined ? [] : [{ title: "Description", notes: parseNotes(notes.trim()) }]),
      ...(rows.length === 0 ? [] : [{ title: "Options", rows }]),
      { title: "Examples", examples },
      { title: "See also", pages: ["incident", ...others.map(pageOf)] },
    ],
  };
}
