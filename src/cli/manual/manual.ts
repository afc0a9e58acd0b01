// The manual as files: a man page for the program and for each command, and docs/commands.md, from the specs of the
// commands and the tables of the help. The build and `npm run docs` write them.
import { outputsOf } from "../../kit/choose-format.ts";
import type { CommandSpec } from "../../kit/define-command.ts";
import { repository } from "../../project.ts";
import { renderHelp } from "../help/command-help.ts";
import { renderExamples, renderRows, type TermRow } from "../help/layout.ts";
import { firstSteps, renderOverview, serviceLimit } from "../help/overview.ts";
import { topicSummaries, topics } from "../help/topic-names.ts";
import { renderTopic, tables } from "../help/topics.ts";
import { parseArgv } from "../parse-argv.ts";
import { specs } from "../registry.ts";
import { type ManualEdition, manName, renderManPage, width } from "./man-page.ts";

/** The fields of package.json that name the repository. Empty while the project has no repository. */
export function repositoryFields(address: string = repository): Readonly<Record<string, unknown>> {
  if (address === "") return {};
  return {
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository: { type: "git", url: `git+${address}.git` },
  };
}

/** Rows for a program that wraps them itself. */
const unwrapped = (rows: readonly TermRow[]) => renderRows(rows, Number.POSITIVE_INFINITY);

const pageOf = ({ name }: CommandSpec) => `incident ${name}`;

/** The pages by the names of their files. */
export async function renderManPages(edition: ManualEdition): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([["incident.1", programPage(edition)]]);
  for (const spec of specs) pages.set(`${manName(pageOf(spec))}.1`, await commandPage(spec, edition));
  return pages;
}

function programPage(edition: ManualEdition): string {
  const commands = tables.commands.map(([term, summary]) => [`incident ${term}`, summary] as const);
  // `  0  done` becomes `0 done`.
  const codes = tables["exit-codes"].map(([term, next]) => [term.trim().replace(/\s+/, " "), next] as const);
  return renderManPage(
    {
      name: "incident",
      summary: "declare status page incidents from YAML files, exactly once",
      synopsis: "incident <command> [options] [operand...]",
      sections: {
        Description: serviceLimit,
        "First steps": unwrapped(firstSteps),
        Commands: unwrapped(commands),
        Options: unwrapped(tables.options),
        "Exit status": unwrapped(codes),
        "In an emergency": unwrapped(tables.emergency),
        Environment: unwrapped(tables.environment),
        Files: unwrapped(tables.files),
      },
      seeAlso: specs.map(pageOf),
    },
    edition,
  );
}

async function commandPage(spec: CommandSpec, edition: ManualEdition): Promise<string> {
  const { name, operands, summary, flags, examples } = spec;
  const notes = (typeof spec.notes === "function" ? await spec.notes() : spec.notes) ?? "";
  const [group] = name.split(" ");
  const others = specs.filter((other) => other !== spec && other.name.startsWith(`${group} `));
  const shown = Object.values(flags).filter(({ topic }) => topic === undefined);
  const rows = shown.map(({ choices, summary, usage }) => {
    const values = choices === undefined ? "" : `: ${choices.join(", ")}`;
    return [usage, summary + values] as const;
  });
  const [format, ...formats] = outputsOf(spec);
  const output = ["-o, --output <format>", `${format} (the default), ${formats.join(", ")}`] as const;
  return renderManPage(
    {
      name: pageOf(spec),
      summary,
      synopsis: ["incident", name, "[options]", operands].filter(Boolean).join(" "),
      sections: {
        Description: notes.trim(),
        Options: unwrapped(formats.length === 0 ? rows : [...rows, output]),
        Examples: renderExamples(examples, width),
      },
      seeAlso: ["incident", ...others.map(pageOf)],
    },
    edition,
  );
}

/** The width of docs/commands.md. */
const columns = 100;

export async function renderCommandsDocument(): Promise<string> {
  const shown = (title: string, text: string) => `## ${title}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  const parts = [
    "# Commands\n\n`npm run docs` writes this page from the specs of the commands. It is what `incident --help`, `incident COMMAND --help` and `incident help TOPIC` print; `man incident` has the same.\n",
    shown("incident", renderOverview(columns)),
  ];
  for (const spec of specs) {
    const help = parseArgv([...spec.name.split(" "), "--help"], columns);
    if (help.kind !== "help") throw new Error(`${spec.name} has no help`);
    parts.push(shown(pageOf(spec), await renderHelp(help.usage, spec, columns)));
  }
  for (const topic of topics)
    parts.push(
      shown(`incident help ${topic}`, `# ${topicSummaries[topic]}\n${await renderTopic(topic, columns)}`),
    );
  return parts.join("\n");
}
