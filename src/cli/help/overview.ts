// The page of `incident --help`: one screen that starts with the most frequent tasks.
import { rows } from "../registry.ts";
import { reflow, renderRows, type TermRow } from "./layout.ts";

/** The most frequent tasks. */
const firstSteps: readonly TermRow[] = [
  ["incident create", "declare an incident: asks, or takes -f FILE"],
  ["incident update ID", "post an update; incident resolve ID ends it"],
  ["incident get ID --watch", "follow an incident as it changes"],
  ["incident apply -f FOLDER", "make sure that the incident of every file exists"],
];

/** The first words of the commands, by theme. */
function themeRows(): readonly TermRow[] {
  return [...new Set(rows.map(({ theme }) => theme))].map((theme) => {
    const words = rows.filter((row) => row.theme === theme).map(({ name }) => name.split(" ")[0]);
    return [theme, [...new Set(words)].join("  ")];
  });
}

const furtherHelp: readonly TermRow[] = [
  ["incident COMMAND --help", "how a command is used, with examples"],
  ["incident help commands", "every command, one line each"],
  ["incident help options", "the options of every command"],
  ["incident help TOPIC", "exit-codes, environment, files, emergency, drills"],
];

const serviceLimit =
  "Lists and updates need a service whose own document describes them: incident doctor says it. Delete an incident in the service's web application.";

/** Draws the page. It wraps at `columns`, as far as the terms allow. */
export function renderOverview(columns: number): string {
  return [
    "Usage: incident <command> [options]",
    renderRows(firstSteps, columns),
    renderRows(themeRows(), columns),
    renderRows(furtherHelp, columns),
    reflow("To try it without a service: incident sandbox -- sh", columns),
    `${reflow(serviceLimit, columns)}\n`,
  ].join("\n\n");
}
