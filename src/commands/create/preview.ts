// The preview of a create: --dry-run, --confirm, and `confirm:` of the profile or the policy. A dry run also tells what the
// journal of this machine knows.
import type { RequestTarget } from "../../api/request.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import { bestEffort } from "../../failure.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { environmentVariables } from "../../workspace/settings.ts";
import { planCreates } from "../sending/plan.ts";
import { type DryRun, type Preview, previewOf, reportDryRun } from "../sending/preview.ts";
import { areNamed, type CreateInput } from "./check-input.ts";
import { spec } from "./spec.ts";

/** The definitions of a run, and where they go. */
export interface CreatePlan {
  readonly context: RunContext;
  /** With an instant in place of a time before now: the command line must mean the same later. */
  readonly input: CreateInput;
  readonly definitions: readonly LocatedDefinition[];
  readonly target: RequestTarget;
  readonly isStartRelative: boolean;
}

/**
 * One definition without a name gets a fresh `--key`: one confirmation is one incident, and the next outage with the same
 * words is another. Several cannot be confirmed.
 */
export function previewCreate({ context, definitions, input, target }: CreatePlan): Promise<Preview> {
  const { guid } = context.system.random;
  const isNamed = areNamed(input.flags, definitions);
  const flags = isNamed || definitions.length > 1 ? input.flags : { ...input.flags, key: guid() };
  const { dedupKey, key, new: isNew = false } = flags;
  const service = { baseUrl: target.baseUrl.value, account: target.account.value };
  const keyed = key === undefined ? undefined : idForText(service, key);
  const first = dedupKey === undefined ? undefined : idForGeneration(service, dedupKey, 0);
  return previewOf(context, {
    spec,
    input: isNamed || definitions.length === 1 ? { ...input, flags } : undefined,
    // A fresh id stands for one that a send would choose.
    incidents: planCreates(target, definitions, () => keyed ?? first ?? guid()),
    requests: planCreates(target, definitions, () => keyed).flatMap(({ requests }) => requests),
    terms: { dedupKey, isNew },
  });
}

/** `isRepeatable`: the command line says all of it, and no answer of a person. */
export function showCreate(plan: CreatePlan, preview: Preview, isRepeatable: boolean): Promise<DryRun> {
  const { context, definitions, input } = plan;
  const { dedupKey, new: isNew, noJournal } = input.flags;
  const notes = async () => {
    context.info(
      "not checked: the connection, the key, the services, and whether the service accepts the request",
    );
    const { apiKey } = environmentVariables;
    const { origin = "nowhere" } = (await context.workspace.settings()).apiKey.setting ?? {};
    if (input.format === "curl" && origin !== apiKey)
      context.info(`the command takes the key from ${apiKey}: set it to the key from ${origin}`);
    if (dedupKey !== undefined)
      context.info("with --dedup-key, a create sends nothing while an incident with the same key is open");
    if (!areNamed(input.flags, definitions))
      context.info("without an id in the definition, each run uses a new one");
    // An open incident of the key is the answer, and --new is another incident.
    if (!isNew && !noJournal && dedupKey === undefined) await tellDeclared(plan);
  };
  return reportDryRun(context, preview, notes, isRepeatable);
}

/** Tells which creates would send nothing, as the journal of this machine says. A shared one is elsewhere, and not asked. */
async function tellDeclared({ context, definitions, input, isStartRelative, target }: CreatePlan) {
  const account = target.account.value;
  const service = { baseUrl: target.baseUrl.value, account: account?.toLowerCase() };
  const { key } = input.flags;
  const keyed = key === undefined ? undefined : idForText(service, key);
  const { openJournalState } = await import("../shared/journal.ts");
  const { contentsOf } = await import("../../journal/content.ts");
  const { claimedFor, operation } = await import("../../journal/model.ts");
  const { knownResolved } = await import("../../delivery/batch/known-status.ts");
  await bestEffort(context, async () => {
    if ((await context.workspace.journal()).location.value.kind !== "folder") return;
    const state = await openJournalState(context);
    const model = await state.journal.model(service);
    const resolved: ReadonlySet<string> = knownResolved(model);
    const digests: string[] = [];
    for (const { definition } of definitions) {
      const id = definition.id?.toLowerCase() ?? keyed;
      const contents = contentsOf(definition, id, account, isStartRelative);
      const { digest } = contents[0] as Content;
      digests.push(digest);
      const occurrence = digests.filter((each) => each === digest).length;
      const log =
        id === undefined ? claimedFor(model, { digest, occurrence }) : operation(model, service, id);
      if (log !== undefined) tell(context, log, id, (contents.at(-1) as Content).digest, resolved);
    }
  });
}

/** Says what a create finds in its log; nothing where it would declare an incident. */
function tell(
  { info, warn }: RunContext,
  { created, digest, key, uncertain }: OperationLog,
  id: string | undefined,
  ownDigest: string,
  resolved: ReadonlySet<string>,
): void {
  if (uncertain !== undefined)
    warn(
      `the outcome of an earlier create of ${key.id} is not known: this one would look for it first; incident journal show ${key.id} tells more`,
    );
  else if (created === undefined || (id === undefined && resolved.has(created.serviceId))) return;
  else if (id === undefined)
    warn(
      `${created.serviceId} was declared from here with this content: while it is open, a create without --key sends nothing, and the command with --key may declare another`,
    );
  else if (digest === ownDigest) info(`${id} is already declared: this create would send nothing`);
  else
    warn(
      `${id} is declared with another content: this create would be refused (exit code 6); undo the change, or use another id`,
    );
}
