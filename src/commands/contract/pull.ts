// `incident contract pull`: keeps the service's contract as a file of the project.
import { type Contract, contractVersion, renderContract } from "../../document/contract.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { pageReport } from "../../kit/report.ts";
import { writeNamedFile } from "../../platform/write-file.ts";
import { refuseInRehearsal } from "../shared/questions.ts";
import { fromFlag, readLiveContract, tellAll } from "./read-live.ts";

export const spec = {
  flags: fromFlag,
  result: "page",
  examples: {
    "incident contract pull": "of the service of the settings",
    "incident contract pull --from openapi.yaml": "of a document that you have",
  },
  notes:
    "It writes incident.contract.json beside .incident.yaml, to be committed and reviewed. From then on validate, " +
    "create and apply check against it as well, offline. It says which other operations the service describes: to list " +
    "incidents, to update and edit one, to list services.\n\n" +
    "The document can be OpenAPI 3.0 or 3.1 or Swagger 2.0, as JSON or YAML, up to 64 MiB.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags }) => {
  const file = context.workspace.contractFile();
  if (flags.from === undefined) refuseInRehearsal(context, file.name);
  const { live, source } = await readLiveContract(context, flags.from);
  const { create, operations } = live;
  const contract: Contract = { formatVersion: contractVersion, source, create, operations };
  writeNamedFile(context, file.name, renderContract(contract));
  context.info(`wrote ${file.name}; commit it, so that everyone checks against it`);
  return pageReport({ file: file.name, source, operations: tellAll(context, live) });
};
