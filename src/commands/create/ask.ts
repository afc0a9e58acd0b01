// `incident create` with a person at the terminal: asks for the fields that no flag gives. Where nothing was declared, the
// answers are kept in a YAML file, which `create -f` takes.
import { join } from "node:path";
import type { Client } from "../../api/client.ts";
import { Failure, messageOf } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import { makeFolders } from "../../platform/folders.ts";
import { replaceFile } from "../../platform/write-file.ts";
import { defaultLoadOptions, type LocatedDefinition } from "../../source/definitions.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Fields } from "../../untrusted-data.ts";
import { askMissing, openDialogue, questions } from "../sending/dialogue.ts";
import { definitionFromFlags, documentOf, type IncidentFlags, readValues } from "../sending/fields.ts";
import { prepareChecks } from "../shared/checks.ts";
import { checkedCatalog, offerServices } from "../shared/services.ts";
import type { CreateInput } from "./spec.ts";

/** Sends the definition of the answers. */
export async function askAndSend(
  context: RunContext,
  { flags, global }: CreateInput,
  fields: IncidentFlags,
  client: Client,
  send: (definitions: readonly LocatedDefinition[]) => Promise<Report<"incidents" | "requests">>,
): ReturnType<typeof send> {
  const { checks } = await prepareChecks(context, flags);
  const catalog = checkedCatalog(await context.workspace.project());
  const given = await readValues(fields, catalog);
  const services = fields.service === undefined ? await offerServices(context, client, catalog) : [];
  const dialogue = await openDialogue(context, global, { services });
  let draft = given;
  const keep = (failure: Failure) =>
    draft === given ? failure : keepAnswers(context, documentOf(draft, undefined), failure);
  try {
    draft = await askMissing(dialogue, given, questions, (answered) => {
      draft = answered;
    });
    const options = { ...defaultLoadOptions(), ...checks };
    const document = documentOf(draft, fields.startedAt);
    const report = await send([await definitionFromFlags(document, options, context.warn)]);
    return report.is === undefined ? { ...report, failure: await keep(report.failure) } : report;
  } catch (error) {
    throw error instanceof Failure ? await keep(error) : error;
  }
}

/** The failure of a run that declared nothing, with the file that has the answers. */
async function keepAnswers(context: RunContext, document: Fields, failure: Failure): Promise<Failure> {
  const folder = context.workspace.stateDirectory.value;
  const path = join(folder, "draft.yaml");
  const { escapeVariables } = await import("../../source/variables.ts");
  const { renderYaml } = await import("../../source/yaml/write.ts");
  try {
    makeFolders(context.files, folder);
    replaceFile(context, path, renderYaml(escapeVariables(document)), 0o600);
  } catch (error) {
    context.warn(`the answers are not kept: ${messageOf(error)}`);
    return failure;
  }
  if (failure.kind === "uncertain") return failure;
  const again = argv`incident create -f ${path}`;
  return failure.with({
    hint: advise`${failure.hint}; your answers are kept: complete them in the file, and run ${again}`,
  });
}
