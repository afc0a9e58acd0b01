// `incident create` with a person at the terminal: asks for the fields that no flag gives, and keeps the answers in a YAML
// file, which `create -f` takes, until the incident is declared.
import { join } from "node:path";
import type { Client } from "../../api/client.ts";
import { Failure, messageOf } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { makeFolders } from "../../platform/folders.ts";
import { replaceFile } from "../../platform/write-file.ts";
import { defaultLoadOptions } from "../../source/definitions.ts";
import { advise, argv } from "../../text/advice.ts";
import type { Fields } from "../../untrusted-data.ts";
import { askMissing, openDialogue, questions } from "../sending/dialogue.ts";
import {
  type Draft,
  dateFirst,
  definitionFromFlags,
  type IncidentFlags,
  readValues,
} from "../sending/fields.ts";
import { prepareChecks } from "../shared/checks.ts";
import { checkedCatalog, offerServices } from "../shared/services.ts";
import type { CreateInput } from "./spec.ts";

/** The definition of the answers. Throws a `Failure` that names the file with the answers. */
export async function askForDefinition(
  context: RunContext,
  { flags, global }: CreateInput,
  fields: IncidentFlags,
  client: Client,
) {
  const { checks } = await prepareChecks(context, flags);
  const catalog = checkedCatalog(await context.workspace.project());
  const given = await readValues(fields, catalog);
  const file = openDraftFile(context);
  const services = fields.service === undefined ? await offerServices(context, client, catalog) : [];
  const dialogue = await openDialogue(context, global, { contract: checks.contract, services });
  try {
    const answered = await askMissing(dialogue, given, questions, file.save);
    const document = dateFirst(documentOf(answered), fields.startedAt);
    const options = { ...defaultLoadOptions(), ...checks, override: () => document };
    return { definitions: [await definitionFromFlags(options, context.warn)], draft: file };
  } catch (error) {
    throw error instanceof Failure ? file.explain(error) : error;
  }
}

const documentOf = ({ incident, update }: Draft): Fields => ({ ...incident, incidentUpdates: [update] });

/** A convenience: where it cannot be written, the answers are not kept. */
function openDraftFile(context: RunContext) {
  const { files, warn } = context;
  const folder = context.workspace.stateDirectory.value;
  const path = join(folder, "draft.yaml");
  let state: "none" | "kept" | "refused" = "none";
  return {
    save: async (draft: Draft): Promise<void> => {
      if (state === "refused") return;
      const { escapeVariables } = await import("../../source/variables.ts");
      const { renderYaml } = await import("../../source/yaml/write.ts");
      try {
        makeFolders(files, folder);
        replaceFile(context, path, renderYaml(escapeVariables(documentOf(draft))), 0o600);
        state = "kept";
      } catch (error) {
        warn(`the answers are not kept: ${messageOf(error)}`);
        state = "refused";
      }
    },
    /** The failure of a run that declared nothing. */
    explain: (failure: Failure): Failure => {
      if (state !== "kept") return failure;
      const again = argv`incident create -f ${path}`;
      return failure.with({
        hint: advise`${failure.hint}; your answers are kept: complete them in the file, and run ${again}`,
      });
    },
    discard: () => {
      if (state === "kept") files.rmSync(path, { force: true });
    },
  };
}
