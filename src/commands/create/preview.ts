// The preview of a create: the requests without the key, their digest, and the consent of a person to it: --dry-run,
// --confirm, and `confirm:` of the profile, the policy or an assistant's variable.
import { buildRequest, type RequestTarget, saidBy, toWire, withoutKey } from "../../api/request.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import { bestEffort } from "../../failure.ts";
import { type CreateBody, createBody } from "../../incident/create-body.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import type { ModeReport, RunContext } from "../../kit/define-command.ts";
import { joinSafe } from "../../platform/terminal/safe-text.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";
import { announceConfirmation, confirmableBy, previewOf, tellNotified } from "../shared/consent/consent.ts";
import { readKeylessTarget } from "../shared/consent/keyless-target.ts";
import { notifiedBy } from "../shared/notification-notice.ts";
import { areNamed, type CreateInput } from "./check-input.ts";
import { spec } from "./spec.ts";

/** `input` has an instant in place of a time before now: the command line must mean the same later. */
export async function previewCreate(
  context: RunContext,
  target: RequestTarget,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
) {
  const confirmable = withKey(context, definitions, input);
  const { dedupKey, key, new: isNew = false } = (confirmable ?? input).flags;
  const service = { baseUrl: target.baseUrl.value, account: target.account.value };
  const keyed = key === undefined ? undefined : idForText(service, key);
  const bodies = definitions.map(({ definition }) =>
    createBody(definition, definition.id?.toLowerCase() ?? keyed, service.account),
  );
  const requestOf = (body: CreateBody) => buildRequest(target, { method: "POST", body });
  const said = { dedupKey, isNew, requests: bodies.map((body) => saidBy(requestOf(body))) };
  const first = dedupKey === undefined ? undefined : idForGeneration(service, dedupKey, 0);
  // A fresh id stands for one that a send would choose.
  const requests = bodies.map(({ id = first ?? context.system.random.guid(), ...bare }) => {
    const { body = "", ...request } = toWire(withoutKey(requestOf({ ...bare, id })));
    return { ...request, body: escapeJson(body) };
  });
  return {
    bodies,
    ...(await previewOf(context, spec, confirmable, said, {
      data: requests,
      notified: notifiedBy(bodies),
      page: async (style) => (await import("../../view/request.ts")).renderRequests(style, requests),
    })),
  };
}

/**
 * One definition without a name gets a fresh `--key`: one confirmation is one incident, and the next outage with the same
 * words is another. Undefined for several.
 */
function withKey(
  context: RunContext,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
): CreateInput | undefined {
  if (areNamed(input.flags, definitions)) return input;
  if (definitions.length > 1) return undefined;
  return { ...input, flags: { ...input.flags, key: context.system.random.guid() } };
}

export async function dryRunReport(
  context: RunContext,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
  { isRepeatable, isStartRelative }: { readonly isRepeatable: boolean; readonly isStartRelative: boolean },
): Promise<ModeReport<typeof spec>> {
  const { flags, format } = input;
  const target = await readKeylessTarget(context);
  const preview = await previewCreate(context, target, definitions, input);
  const { bodies, data: requests, page } = preview;
  context.info("nothing was sent");
  tellNotified(context, preview.notified);
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
  const isNamed = areNamed(flags, definitions);
  if (!isNamed) context.info("without an id in the definition, each run uses a new one");
  // An open incident of the key is the answer, and --new is another incident.
  if (!flags.new && !flags.noJournal && flags.dedupKey === undefined)
    await tellDeclared(context, definitions, {
      target,
      ids: isNamed
        ? bodies.map(({ id }) => id)
        : definitions.map(({ definition }) => definition.id?.toLowerCase()),
      isStartRelative,
    });
  if (isRepeatable) announceConfirmation(context, preview);
  const { renderCurl } = await import("../../view/request.ts");
  const confirmable = requests.map((request) => ({
    ...request,
    ...(isRepeatable && confirmableBy(preview)),
  }));
  const [first, ...others] = confirmable;
  return {
    data: first !== undefined && others.length === 0 ? first : confirmable,
    page,
    curl: () => joinSafe(requests.map((request) => renderCurl(request))),
  };
}

/** Tells which of the creates would send nothing, as far as the journal of this machine says. A shared one is elsewhere. */
async function tellDeclared(
  context: RunContext,
  definitions: readonly LocatedDefinition[],
  {
    ids,
    isStartRelative,
    target,
  }: {
    /** Undefined for a create that its content names. */
    readonly ids: readonly (string | undefined)[];
    readonly isStartRelative: boolean;
    readonly target: RequestTarget;
  },
): Promise<void> {
  const {
    account: { value: account },
    baseUrl: { value: baseUrl },
  } = target;
  const service = { baseUrl, account: account?.toLowerCase() };
  const { openJournalState } = await import("../shared/journal/open-journal.ts");
  const { contentsOf } = await import("../../journal/content.ts");
  const { knownResolved } = await import("../../delivery/batch/known-status.ts");
  await bestEffort(context, async () => {
    if ((await context.workspace.journal()).location.value.kind !== "folder") return;
    const state = await openJournalState(context);
    const resolved: ReadonlySet<string> = ids.includes(undefined) ? await knownResolved(state) : new Set();
    const digests: string[] = [];
    for (const [index, { definition }] of definitions.entries()) {
      const id = ids[index];
      const contents = contentsOf(definition, id, account, isStartRelative);
      const { digest } = contents[0] as Content;
      const content = contents.at(-1) as Content;
      digests.push(digest);
      const occurrence = digests.filter((each) => each === digest).length;
      const log =
        id === undefined
          ? await state.claims.find(service, { digest, occurrence })
          : await state.journal.read({ ...service, id });
      const said = describeDeclared(log, { id, digest: content.digest, resolved });
      if (said?.isNormal) context.info(said.text);
      else if (said !== undefined) context.warn(said.text);
    }
  });
}

/**
 * Says what a create finds in its log; undefined where it would declare an incident. `resolved` has the ids of resolved
 * incidents. `isNormal`: it is a notice, not a warning.
 */
function describeDeclared(
  log: OperationLog | undefined,
  {
    digest,
    id,
    resolved,
  }: { readonly digest: string; readonly id: string | undefined; readonly resolved: ReadonlySet<string> },
): { readonly text: string; readonly isNormal: boolean } | undefined {
  const { created, key, uncertain } = log ?? {};
  if (uncertain !== undefined)
    return {
      text: `the outcome of an earlier create of ${key?.id} is not known: this one would look for it first; incident journal show ${key?.id} tells more`,
      isNormal: false,
    };
  if (created === undefined) return undefined;
  if (id === undefined && resolved.has(created.serviceId)) return undefined;
  if (id === undefined)
    return {
      text: `${created.serviceId} was declared from here with this content: while it is open, a create without --key sends nothing, and the command with --key may declare another`,
      isNormal: false,
    };
  if (log?.digest === digest)
    return { text: `${id} is already declared: this create would send nothing`, isNormal: true };
  return {
    text: `${id} is declared with another content: this create would be refused (exit code 6); undo the change, or use another id`,
    isNormal: false,
  };
}
