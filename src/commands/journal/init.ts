// `incident journal init`: makes the tables of a journal in PostgreSQL, or prints the SQL for the person who may.

import type { Run } from "../../kit/define-command.ts";
import { safe, safeLines } from "../../platform/terminal/safe-text.ts";
import type { initSpec } from "./spec.ts";

const formatVersion = 1;

export const init: Run<typeof initSpec> = async (context, { flags }) => {
  if (flags.sql) {
    const { createRoles, createTables } = await import("../../journal/postgres/table.ts");
    const lines = `${createTables}${createRoles}`.trimEnd().split("\n");
    return { page: (style) => safeLines(lines.map((line) => style.line(line))) };
  }
  const { location, shown } = await context.workspace.journal();
  const isMade = location.value.kind === "postgres";
  if (location.value.kind === "postgres") {
    const { makePostgresTables } = await import("../../journal/postgres/sequences.ts");
    await makePostgresTables(context, location.value.url);
  }
  const text = isMade
    ? `the tables of the journal exist in ${shown}`
    : `the journal in ${shown} needs no tables`;
  return {
    data: { formatVersion, journal: shown, tables: isMade },
    page: (style) => safe`${style.line(text)}\n`,
  };
};
