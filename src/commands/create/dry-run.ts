// `incident create --dry-run`: the requests that a create would send, as text or as shell commands. Sends nothing,
// reads no key, and states which checks only the service can make.

import { digestOf } from "../../delivery/consent/digest.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";
import { checkServiceTarget, type ServiceTarget } from "../../workspace/resolve.ts";
import type { Report, RunContext } from "../define-command.ts";
import { announceConfirmation } from "../shared/consent/consent.ts";
import { type CreateInput, previewCreate } from "./preview.ts";

export async function dryRunReport(
  context: RunContext,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
  { isRepeatable }: { readonly isRepeatable: boolean },
): Promise<Report> {
  const { flags, format } = input;
  const target = await readTarget(context);
  const preview = previewCreate(context, target, definitions, input);
  const { command, page, proposal, requests } = preview;
  context.info("nothing was sent");
  context.info(
    "not checked: the connection, the key, the services, and whether the service accepts the request",
  );
  const { origin } = target.key;
  if (format === "curl" && origin !== environmentVariables.apiKey) {
    context.info(
      `the command takes the key from ${environmentVariables.apiKey}: set it to the key from ${origin}`,
    );
  }
  if (flags.dedupKey !== undefined)
    context.info("with --dedup-key, a create sends nothing while an incident with the same key is open");
  const isFresh =
    flags.key === undefined &&
    flags.dedupKey === undefined &&
    definitions.some(({ definition }) => definition.id === undefined);
  if (isFresh) context.info("without an id in the definition, each run uses a new one");
  if (isRepeatable) announceConfirmation(context, input, preview);
  const { renderCurl } = await import("../../view/request.ts");
  const confirmable = requests.map((request) => ({
    ...request,
    ...(isRepeatable && { confirm: digestOf(proposal), command }),
  }));
  return {
    data: confirmable.length === 1 ? confirmable[0] : confirmable,
    page,
    views: { curl: () => joinSafe(requests.map((request) => renderCurl(request))) },
  };
}

/** Resolves the settings without the key, so that no key command runs and no key file is opened. */
async function readTarget({ workspace }: RunContext): Promise<ServiceTarget> {
  const effective = await workspace.settings();
  const setting = effective.key.setting ?? { value: { kind: "value", key: "" }, origin: "nowhere" };
  return checkServiceTarget({ ...effective, key: { ...effective.key, setting } }, workspace.sources);
}
