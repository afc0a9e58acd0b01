// The page of `incident --help`: one screen that starts with the most frequent tasks.
import { specs } from "../registry.ts";
import { reflow, renderRows, type TermRow } from "./layout.ts";

/** The most frequent tasks. */
export const firstSteps: readonly TermRow[] = [
  ["incident create", "declare an incident: asks, or takes -f FILE"],
  ["incident get ID --watch", "follow an incident as it changes"],
  ["incident apply -f FOLDER", "make sure that the incident of every file exists"],
];

/** The first words of the commands, by theme; a command without a theme is listed last. */
const themes: readonly (readonly [theme: string, words: readonly string[]])[] = [
  ["Incidents", ["create", "get", "open", "apply", "gate", "journal"]],
  ["Files", ["new", "validate", "explain", "schema", "services", "templates", "preview"]],
  ["Settings", ["login", "logout", "config", "contract", "doctor", "completion", "cache"]],
  ["Rehearsal", ["sandbox"]],
];

const furtherHelp: readonly TermRow[] = [
  ["incident COMMAND --help", "how a command is used, with examples"],
  ["incident help commands", "every command, one line each"],
  ["incident help options", "the options of every command"],
  ["incident help --json [command]", "the command line as data, for programs"],
  ["incident help TOPIC", "exit-codes, environment, files, drills"],
];

export const apiLimit =
  "The API can only create and read incidents: update, resolve and delete them in the service's web application.";

/** Draws the page. It wraps at `columns`, as far as the terms allow. */
export function renderOverview(columns: number): string {
  const themed = new Set(themes.flatMap(([, words]) => words));
  const words = new Set(specs.map(({ name }) => name.split(" ")[0] ?? name));
  const others = [...words].filter((word) => !themed.has(word));
  const rows = [...themes, ["Others", others] as const].flatMap(([theme, all]): TermRow[] => {
    const present = all.filter((word) => words.has(word));
    return present.length === 0 ? [] : [[theme, present.join("  ")]];
  });
  return [
    "Usage: incident <command> [options]",
    renderRows(firstSteps, columns),
    renderRows(rows, columns),
    renderRows(furtherHelp, columns),
    reflow("To try it without a service: incident sandbox -- sh", columns),
    `${reflow(apiLimit, columns)}\n`,
  ].join("\n\n");
}
