// What a create would send: the requests without the key, their digest, and the consent of a person to it: --dry-run,
// --confirm, and `confirm:` of the profile, the policy or an assistant's variable.
import { createRequest } from "../../api/client.ts";
import type { BatchOptions } from "../../delivery/batch/batch.ts";
import { digestOf, type Proposal } from "../../delivery/consent/digest.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import { createBody } from "../../incident/create-body.ts";
import type { Random } from "../../platform/context.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";
import { checkServiceTarget, type ServiceSettings, type ServiceTarget } from "../../workspace/resolve.ts";
import type { Report, RunContext } from "../define-command.ts";
import { canAsk } from "../shared/confirm.ts";
import { writeCommandLine } from "../shared/consent/command-line.ts";
import {
  announceConfirmation,
  askForConsent,
  checkConsent,
  needsConsent,
  type Preview,
  reasonForConsent,
} from "../shared/consent/consent.ts";
import type { CreateInput } from "./check-input.ts";
import { spec } from "./spec.ts";

/** A create as it would be sent, without the key. */
export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, with JSON escapes for the characters that a terminal would hide or interpret. */
  readonly body: string;
}

type CreateTarget = Pick<ServiceTarget, "account" | "accountHeader" | "baseUrl" | "clientIds">;

export interface CreatePreview extends Preview {
  readonly requests: readonly ShownRequest[];
}

/** `input` has an instant in place of a time before now: the command line must mean the same later. */
export function previewCreate(
  { system }: { readonly system: { readonly random: Pick<Random, "guid"> } },
  target: CreateTarget,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
): CreatePreview {
  const { dedupKey, key, new: isNew = false } = input.flags;
  const service = { baseUrl: target.baseUrl.value, account: target.account.value };
  const keyed = key === undefined ? undefined : idForText(service, key);
  const bodies = definitions.map(({ definition }) =>
    createBody(definition, definition.id?.toLowerCase() ?? keyed, service.account),
  );
  const proposal = { ...service, accountHeader: target.accountHeader, dedupKey, isNew, bodies };
  const requests = showRequests(target, proposal, system.random);
  const changes = { dryRun: undefined, confirm: digestOf(proposal) };
  return {
    proposal,
    requests,
    command: writeCommandLine(spec, input, changes),
    data: requests,
    page: async (style) => (await import("../../view/request.ts")).renderRequests(style, requests),
  };
}

/** The requests of a proposal. A fresh id stands for one that a send would choose. */
function showRequests(
  target: CreateTarget,
  { account, baseUrl, bodies, dedupKey }: Proposal,
  random: Pick<Random, "guid">,
): readonly ShownRequest[] {
  return bodies.map(({ id: chosen, ...bare }) => {
    const first = dedupKey === undefined ? undefined : idForGeneration({ baseUrl, account }, dedupKey, 0);
    const id = chosen ?? first ?? random.guid();
    const body = target.clientIds?.value === "unsupported" ? bare : { ...bare, id };
    const key = { value: "", origin: "nowhere" };
    const { headers, body: text, ...request } = createRequest({ ...target, apiKey: key }, body);
    const { authorization: _, ...shown } = headers as Record<string, string>;
    return { ...request, headers: shown, body: escapeJson(text) };
  });
}

/** Writes the characters that a terminal would hide or interpret as their JSON escapes. */
function escapeJson(json: string): string {
  return json.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

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

export interface Consent {
  /** --yes does not answer the question at a terminal. */
  readonly isNeeded: boolean;
  /** Where no person can be asked: refuses the first create that would be sent, or one like an open incident. */
  readonly refusals?: Pick<BatchOptions, "beforeSend" | "confirmSimilar">;
}

/** Throws a `Failure` "confirmation" where --confirm has another digest. */
export async function openConsent(
  context: RunContext,
  settings: ServiceSettings,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
): Promise<Consent> {
  const { confirm } = input.flags;
  const preview = previewCreate(context, settings, definitions, input);
  if (confirm !== undefined) {
    await checkConsent(context, input, preview, confirm);
    return { isNeeded: false };
  }
  const reason = reasonForConsent(settings.confirm, preview.proposal);
  if (canAsk(context, input.global)) return { isNeeded: reason !== undefined };
  const refuse = async (problem: string) => {
    throw await askForConsent(context, input, preview, problem);
  };
  return {
    isNeeded: reason !== undefined,
    refusals: {
      confirmSimilar: (similar) => refuse(`${similar}, which ${needsConsent(settings.confirm)}`),
      ...(reason !== undefined && { beforeSend: () => refuse(reason) }),
    },
  };
}
