// `incident journal init`: makes the table and the roles of a journal in PostgreSQL.
import type { CommandSpec, Run } from "../../kit/command.ts";
import { lineReport } from "../../kit/report.ts";

export const spec = {
  result: "page",
  examples: {
    "incident journal init": "in the database of INCIDENT_CLI_JOURNAL, or of the profile",
  },
  notes:
    "Run it once for a database, as a role that may create tables and roles. What exists stays as it is.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context) => {
  const location = await context.workspace.journal();
  const { shown } = location;
  if (location.kind !== "postgres")
    return lineReport({ journal: shown, tables: false }, `the journal is in ${shown}, which needs no tables`);
  const { makePostgresTables } = await import("../../journal/postgres/sequences.ts");
  await makePostgresTables(context, location.url);
  return lineReport({ journal: shown, tables: true }, `the tables of the journal exist in ${shown}`);
};
