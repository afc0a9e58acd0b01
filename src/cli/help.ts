// The layout of the help, and the page of `incident --help`, which loads nothing else.
import { exitCodes, type FailureKind } from "../failure.ts";
import type { FlagSpec, FlagSpecs } from "../kit/flags.ts";
import { globalFlags, parserFlags } from "../kit/global-flags.ts";
import { codePointLength, wrapText } from "../text/lengths.ts";
import { commandsIn, groups, rows } from "./registry.ts";

type TermRow = readonly [term: string, summary: string];

/** The help has only characters of one cell. */
const wrap = (text: string, width: number) => wrapText(text, width, codePointLength);

/** Draws two columns; where the terminal is too narrow for them, each summary below its term. */
function renderRows(rows: readonly TermRow[], columns: number): string {
  const widest = Math.max(...rows.map(([term]) => term.length)) + 4;
  const indent = columns - widest < 30 ? 6 : widest;
  const below = `\n${" ".repeat(indent)}`;
  const draw = ([term, summary]: TermRow) => {
    const head = term.length > indent - 4 ? `  ${term}${below}` : `  ${term}`.padEnd(indent);
    return `${head}${wrap(summary, columns - indent).join(below)}`;
  };
  return rows.map(draw).join("\n");
}

/** Wraps paragraphs. One that is indented stays as it is. */
export function wrapParagraphs(text: string, columns: number): string {
  return text
    .trimEnd()
    .split("\n\n")
    .map((part) => (part.startsWith(" ") ? part : wrap(part.replaceAll("\n", " "), columns).join("\n")))
    .join("\n\n");
}

export function renderFlags(flags: FlagSpecs, columns: number): string {
  const rowOf = ({ choices, summary, usage }: FlagSpec): TermRow => [
    usage,
    choices === undefined ? summary : `${summary} (${choices.join(", ")})`,
  ];
  return renderRows(Object.values(flags).map(rowOf), columns);
}

const firstSteps: readonly TermRow[] = [
  ["incident create", "declare an incident: asks, or takes -f FILE"],
  ["incident update ID", "post an update; incident resolve ID ends it"],
  ["incident get ID --watch", "follow an incident as it changes"],
  ["incident apply -f FOLDER", "make sure that the incident of every file exists"],
  ["incident COMMAND --help", "how a command is used, with examples"],
];

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

export function renderOverview(columns: number): string {
  const themes = [...new Set(rows.map(({ theme }) => theme))].map((theme): TermRow => {
    const words = rows.filter((row) => row.theme === theme).map(({ name }) => name.split(" ")[0]);
    return [theme, [...new Set(words)].join(" ")];
  });
  const codes = Object.entries(nextSteps).map(
    ([kind, next]): TermRow => [`${String(exitCodes[kind as FailureKind]).padStart(3)}  ${kind}`, next],
  );
  return `${[
    "Usage: incident <command> [options]",
    renderRows(firstSteps, columns),
    renderRows(themes, columns),
    `Options of every command:\n${renderFlags({ ...globalFlags, ...parserFlags }, columns)}`,
    `Exit codes, and what to do next:\n${renderRows([["  0  done", "nothing is left to do"], ...codes], columns)}`,
    wrapParagraphs(
      "To try it without a service: incident sandbox -- sh\n\nLists and updates need a service whose own document describes them: incident doctor says it. Delete an incident, or correct a posted text, in the service's web application.",
      columns,
    ),
  ].join("\n\n")}\n`;
}

export function renderGroupHelp(group: string, columns: number): string {
  return `${[
    `Usage: incident ${group} <command> [options]`,
    wrapParagraphs(sentence(groups.get(group) ?? ""), columns),
    renderRows([...commandsIn(group)], columns),
    `incident ${group} COMMAND --help says more.`,
  ].join("\n\n")}\n`;
}

export const sentence = (summary: string) => `${summary[0]?.toUpperCase()}${summary.slice(1)}.`;
