// The pages of the help: of a command, from its spec, of a group, and `incident help TOPIC`, from the tables that the code
// uses.
import { exitCodes, type FailureKind } from "../failure.ts";
import type { CommandSpec } from "../kit/define-command.ts";
import type { FlagSpec } from "../kit/flags.ts";
import { formatsOf, modesOf } from "../kit/formats.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { ownValue } from "../untrusted-data.ts";
import { wrapCommand } from "../view/terminal/wrap.ts";
import { reflow, renderRows, type TermRow, wrap } from "./help.ts";
import { aloneIn, commandsIn, groups, type Row, rows } from "./registry.ts";

export function renderHelp({ summary }: Pick<Row, "summary">, spec: CommandSpec, columns: number): string {
  const { examples, name, operands = "", result } = spec;
  const outputs = formatsOf(spec, result);
  return [
    wrap(`Usage: incident ${name} [options] ${operands}`.trimEnd(), columns, 4).join("\n"),
    reflow(sentence(summary), columns),
    ...renderFlags([...Object.values(spec.flags), parserFlags.help], columns),
    `Examples:\n${Object.entries(examples)
      .map(([command, text]) => {
        const comment = wrap(text, columns - 4).map((line) => `  # ${line}`);
        return [...comment, wrapCommand(command, columns, 2).join("\n")].join("\n");
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
  const alone = aloneIn(group);
  const more = `incident ${group} COMMAND --help says more.`;
  return [
    wrap(`Usage: incident ${group} <command> [options]`, columns, 4).join("\n"),
    reflow(sentence(groups.get(group) ?? ""), columns),
    renderRows([...commandsIn(group)], columns),
    `${reflow(alone === undefined ? more : `incident ${group} alone is incident ${alone.name}. ${more}`, columns)}\n`,
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

function rowOfFlag({ choices, summary, usage }: FlagSpec): TermRow {
  return [usage, choices === undefined ? summary : `${summary} (${choices.join(", ")})`];
}

const sentence = (summary: string) => `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;

const nextSteps = {
  internal: "report it: it is a bug in incident",
  usage: "correct the command line or the settings",
  invalid: "correct the YAML",
  credentials: "correct the key or the account",
  missing: "there is no such incident: check the id",
  rejected:
    "the service refused it or does not offer it, or it conflicts with the incident: read the message",
  unavailable: "nothing was published, or something could not be read: run it again",
  uncertain:
    "a create, an update or an edit was sent, and its outcome is not known: look before you run it again",
  partial: "some of it was published, and some was not: run it again for the rest",
  timeout: "--wait-timeout or --deadline expired: run it again, or give it longer",
  drift: "live incidents, or the results of a drill, differ from what is expected",
  blocked: "gate: an incident is open",
  confirmation: "nothing was sent: show the preview to a person, then run the printed command",
  interrupted: "Ctrl-C, or a question was declined",
  terminated: "SIGTERM or SIGHUP",
} as const satisfies Record<FailureKind, string>;

const rowsOf = (flags: Readonly<Record<string, FlagSpec>>) => Object.values(flags).map(rowOfFlag);

/** Each topic of `incident help`: its summary and its table; the drills have a page of their own. */
export const topics: Readonly<Record<string, readonly [summary: string, rows: readonly TermRow[]]>> = {
  commands: ["every command, one line each", rows.map(({ name, summary }) => [name, summary])],
  options: ["the options of every command", [...rowsOf(globalFlags), ...rowsOf(parserFlags)]],
  "exit-codes": [
    "the exit codes, and what to do next",
    [
      ["  0  done", "nothing is left to do"],
      ...Object.entries(nextSteps).map(
        ([kind, next]): TermRow => [`${String(exitCodes[kind as FailureKind]).padStart(3)}  ${kind}`, next],
      ),
    ],
  ],
  environment: [
    "the environment variables",
    [
      ["NO_COLOR, FORCE_COLOR, TERM", "colour: never, always, by the terminal"],
      ["CI", "if set, no question is asked"],
      ["BROWSER", "the browser that incident open starts"],
      ["HTTPS_PROXY, ALL_PROXY, NO_PROXY", "the proxy for the service: http or https"],
      ["NODE_EXTRA_CA_CERTS", "a file of further certificates to trust"],
      ["XDG_CONFIG_HOME, XDG_STATE_HOME", "where the files are: incident help files"],
    ],
  ],
  files: [
    "the files that the commands read and write",
    [
      [
        "~/.config/incident-cli/config.yaml",
        "your profiles; incident login writes it, incident config show names it",
      ],
      [
        ".incident.yaml",
        "the project's file, with its services by name; searched from here up to the repository's root",
      ],
      ["~/.local/state/incident-cli/", "what was sent from here, so that no rerun sends it twice"],
      ["~/.local/state/incident-cli/draft.yaml", "the answers of an unfinished incident create"],
      [
        "~/.cache/incident-cli/",
        "compiled code, for a quick start; you can delete it at any time (macOS: ~/Library/Caches; Windows: %LOCALAPPDATA%)",
      ],
    ],
  ],
  drills: ["rehearsals with faults", []],
};

/** The page of a topic. Throws a `Failure` "usage" where there is none. */
export async function renderTopic(name: string, columns: number): Promise<string> {
  if (name === "drills") return `${await renderDrills(columns)}\n`;
  const topic = ownValue(topics, name);
  if (topic !== undefined)
    return `${renderRows([...(name === "environment" ? await variables() : []), ...topic[1]], columns)}\n`;
  throw (await import("./habits.ts")).failureOfTopic(name, Object.keys(topics));
}

/** The variables of the settings. */
async function variables(): Promise<readonly TermRow[]> {
  const { settingRows } = await import("../workspace/settings.ts");
  return Object.values(settingRows).flatMap(({ summary, variable }): TermRow[] =>
    variable === undefined ? [] : [[variable, summary]],
  );
}

async function renderDrills(columns: number): Promise<string> {
  const { assumptions } = await import("../sandbox/assumptions.ts");
  const { faultGrammar, faultMeanings } = await import("../sandbox/faults.ts");
  const parts = [
    "A drill runs a command against the sandbox, and injects faults:",
    "  incident sandbox --fault create#1:drop-after-commit -- ./runbook.sh",
    "It ends with the command's exit code, after a line that counts requests, incidents and duplicates.",
    `A fault is ${faultGrammar}. The kinds:`,
    renderRows(faultMeanings, columns),
    "The sandbox's behavior where the API's specification is silent (its sections in parentheses):",
    assumptions.map((assumption) => `- ${assumption}`).join("\n"),
  ];
  return parts.map((part) => reflow(part, columns)).join("\n\n");
}
