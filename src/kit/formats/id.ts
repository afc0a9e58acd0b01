// -o id: a line for each id. An id that is no visible word is left out: print-report.ts fails for it.
import { type SafeText, safeLines } from "../../platform/terminal/safe-text.ts";
import { escapeLine, hasLogCommand } from "../../view/terminal/escape.ts";
import { idsOf, type Results } from "../report.ts";

/** A script takes each line for an id. */
export function isWord(id: string): boolean {
  return id !== "" && !/\s/.test(id) && escapeLine(id) === id && !hasLogCommand(id);
}

const write = (ids: readonly string[]): SafeText => safeLines(ids.filter(isWord).map(escapeLine));

export const draw = {
  incidents: (result: Results["incidents"]) => write(idsOf({ is: "incidents", ...result })),
  plan: (result: Results["plan"]) => write(idsOf({ is: "plan", ...result })),
  list: (result: Results["list"]) => write(result.ids),
};
