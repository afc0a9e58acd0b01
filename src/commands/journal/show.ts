// `incident journal show`: everything that the journal has of one operation.
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { readIds } from "../shared/incident-ids.ts";
import { findOperation, openJournal } from "../shared/journal.ts";
import { operationReport } from "./operations.ts";

export const spec = defineCommand({
  name: "journal show",
  operands: "<id>",
  completions: "incidents",
  flags: {},
  result: "page",
  examples: {
    "incident journal show 7c9e6679-7425-40de-944b-e07fc1f90ae7": "its attempts and their results",
  },
});

export const run: Run<typeof spec> = async (context, { operands }) => {
  const [id = ""] = readIds(operands);
  return operationReport(await findOperation(context, await openJournal(context), id));
};
