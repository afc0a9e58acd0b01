// What a create would send: the requests without the key for a preview, and the proposal that a person confirms.
import { createRequest } from "../../api/client.ts";
import { digestOf, type Proposal } from "../../delivery/consent/digest.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import { createBody } from "../../incident/create-body.ts";
import type { Random } from "../../platform/context.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { ServiceTarget } from "../../workspace/resolve.ts";
import type { FlagsOf, Input } from "../define-command.ts";
import { writeCommandLine } from "../shared/consent/command-line.ts";
import type { Preview } from "../shared/consent/consent.ts";
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

export type CreateInput = Input<FlagsOf<typeof spec>>;

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
  const proposal = proposeCreate(target, definitions, input.flags);
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

function proposeCreate(
  { account, accountHeader, baseUrl }: CreateTarget,
  definitions: readonly LocatedDefinition[],
  { dedupKey, key, new: isNew = false }: CreateInput["flags"],
): Proposal {
  const service = { baseUrl: baseUrl.value, account: account.value };
  const keyed = key === undefined ? undefined : idForText(service, key);
  const bodies = definitions.map(({ definition }) =>
    createBody(definition, definition.id?.toLowerCase() ?? keyed, account.value),
  );
  return { ...service, accountHeader, dedupKey, isNew, bodies };
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
