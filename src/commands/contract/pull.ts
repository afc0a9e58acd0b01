// `incident contract pull`: keeps the service's contract as a file of the project.
import { type Contract, contractVersion, hasSameContent, renderContract } from "../../document/contract.ts";
import { addedRules, missingRules } from "../../document/standing.ts";
import { ignoreFailure } from "../../failure.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { replaceNamedFile } from "../../platform/write-file.ts";
import { renderTable } from "../../view/terminal/table.ts";
import { refuseInRehearsal } from "../shared/questions.ts";
import { fromFlag, readLiveContract, refuseNoProject, tellAll } from "./read-live.ts";

const formatVersion = 1;

export const spec = defineCommand({
  name: "contract pull",
  flags: fromFlag,
  result: "page",
  examples: {
    "incident contract pull": "of the service of the settings",
    "incident contract pull --from openapi.yaml": "of a document that you have",
  },
  notes:
    "It writes incident.contract.json beside .incident.yaml, to be committed and reviewed. From then on validate, " +
    "create and apply check against it as well, offline. It prints the rules that the service " +
    "has beside the built-in ones, and says which other operations the service describes: to list incidents, to update " +
    "and edit one, to list services.\n\n" +
    "The document can be OpenAPI 3.0 or 3.1 or Swagger 2.0, as JSON or YAML, up to 64 MiB.",
});

export const run: Run<typeof spec> = async (context, { flags, global }) => {
  refuseNoProject(global);
  const file = context.workspace.contractFile();
  if (flags.from === undefined) refuseInRehearsal(context, global, file.name);
  const { live, source } = await readLiveContract(context, global, flags.from);
  const { create, operations: found } = live;
  const contract: Contract = { formatVersion: contractVersion, source, create, operations: found };
  // A file that is no contract is replaced.
  const old = file.isThere ? await context.workspace.contract().catch(ignoreFailure) : undefined;
  const isSame =
    old !== undefined && old.source.from === contract.source.from && hasSameContent(old, contract);
  if (!isSame) replaceNamedFile(context, file.path, renderContract(contract));
  for (const { text } of isSame || old === undefined ? [] : missingRules(old.create.body, create.body))
    context.warn(`${file.name} no longer has: ${text}`);
  context.info(
    isSame
      ? `${file.name} is unchanged: the document has the same rules as on ${old.source.date}`
      : `wrote ${file.name}; commit it, so that everyone checks against it`,
  );
  const rules = addedRules(create.body).map(({ text }) => text);
  if (rules.length === 0) context.info("it adds nothing to the built-in rules");
  const operations = tellAll(context, live);
  return {
    is: "page",
    data: { formatVersion, file: file.name, written: !isSame, source, rules, operations },
    page: (style) =>
      renderTable(
        style,
        ["RULE"],
        rules.map((rule) => [style.line(rule)]),
      ),
  };
};
