// `incident journal init`: makes the tables of a journal in PostgreSQL.

import type { Run } from "../../kit/define-command.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import type { initSpec } from "./spec.ts";

const formatVersion = 1;

export const init: Run<typeof initSpec> = async (context) => {
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
