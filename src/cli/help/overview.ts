// The page of `incident --help`: one screen that starts with what people do. It is by itself because reading a
// command line takes longer to load than this takes to draw.
import { commands } from "../../commands/commands.ts";
import { wrapText } from "../../view/terminal/wrap.ts";

export type TermRow = readonly [term: string, summary: string];

/** The three things that people do. */
const firstSteps: readonly TermRow[] = [
  ["incident create", "declare an incident: asks, or takes -f FILE"],
  ["incident get ID --watch", "what customers see, live"],
  ["incident apply -f FOLDER", "make sure that the incident of every file exists"],
];

/** First words of commands, by what a person is about; one that stands nowhere here comes last. */
const themes: readonly (readonly [theme: string, words: readonly string[]])[] = [
  ["Incidents", ["create", "get", "apply", "journal"]],
  ["Files", ["new", "validate", "explain", "schema", "services", "preview"]],
  ["Settings", ["login", "logout", "config", "doctor", "completion"]],
  ["Rehearsal", ["sandbox"]],
];

const furtherHelp: readonly TermRow[] = [
  ["incident COMMAND --help", "how a command is used, with examples"],
  ["incident help commands", "every command in a line"],
  ["incident help options", "the options of every command"],
  ["incident help TOPIC", "exit-codes, environment, files, drills"],
];

/** `columns` is the width to keep to, as far as the terms allow. */
export function renderOverview(columns: number): string {
  const known = new Set(themes.flatMap(([, words]) => words));
  const words = new Set(commands.map(({ name }) => name.split(" ")[0] ?? name));
  const others = [...words].filter((word) => !known.has(word));
  const rows = [...themes, ["Others", others] as const].flatMap(([theme, all]): TermRow[] => {
    const present = all.filter((word) => words.has(word));
    return present.length === 0 ? [] : [[theme, present.join("  ")]];
  });
  return [
    "Usage: incident <command> [options]",
    renderRows(firstSteps, columns),
    renderRows(rows, columns),
    renderRows(furtherHelp, columns),
    "To try it without a service: incident sandbox -- sh\n",
  ].join("\n\n");
}

/** Terms, and beside each what it stands for, wrapped at the width. */
export function renderRows(rows: readonly TermRow[], columns: number): string {
  const indent = Math.max(...rows.map(([term]) => term.length)) + 4;
  return rows
    .map(([term, summary]) => {
      const width = Math.max(20, columns - indent);
      const lines = wrapText(summary, { width, measure: (text) => text.length });
      return `  ${term.padEnd(indent - 2)}${lines.join(`\n${" ".repeat(indent)}`)}`;
    })
    .join("\n");
}
