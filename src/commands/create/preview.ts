// The requests of a create, and their preview: --dry-run, --confirm, and `confirm:` of the profile or the policy. A dry run
// also tells what the journal of this machine knows.
import type { RequestTarget } from "../../api/request.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import { bestEffort } from "../../failure.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { ServiceTarget } from "../../workspace/resolve.ts";
import { environmentVariables } from "../../workspace/settings.ts";
import { describeNotified, planCreates } from "../sending/plan.ts";
import {
  announceConfirmation,
  dryRunParts,
  type Preview,
  previewOf,
  readKeylessTarget,
} from "../sending/preview.ts";
import { areNamed, type CreateInput } from "./check-input.ts";
import { spec } from "./spec.ts";

/** `input` has an instant in place of a time before now: the command line must mean the same later. */
export async function previewCreate(
  context: RunContext,
  target: RequestTarget,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
): Promise<Preview> {
  const confirmable = withKey(context, definitions, input);
  const { dedupKey, key, new: isNew = false } = (confirmable ?? input).flags;
  const service = { baseUrl: target.baseUrl.value, account: target.account.value };
  const keyed = key === undefined ? undefined : idForText(service, key);
  const first = dedupKey === undefined ? undefined : idForGeneration(service, dedupKey, 0);
  const digested = planCreates(target, definitions, () => keyed);
  const requests = digested.flatMap((each) => each.requests);
  // A fresh id stands for one that a send would choose.
  const shown = planCreates(target, definitions, () => keyed ?? first ?? context.system.random.guid());
  return previewOf(context, spec, confirmable, shown, { dedupKey, isNew, requests });
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

/** `isRepeatable`: the command line says all of it, and no answer of a person. */
export async function dryRunReport(
  context: RunContext,
  definitions: readonly LocatedDefinition[],
  input: CreateInput,
  { isRepeatable, isStartRelative }: { readonly isRepeatable: boolean; readonly isStartRelative: boolean },
): Promise<Report<"requests">> {
  const { flags, format } = input;
  const target = await readKeylessTarget(context);
  const preview = await previewCreate(context, target, definitions, input);
  context.info("nothing was sent");
  for (const line of describeNotified(preview.incidents, true)) context.info(line);
  context.info(
    "not checked: the connection, the key, the services, and whether the service accepts the request",
  );
  const { origin } = target.key;
  if (format === "curl" && origin !== environmentVariables.apiKey)
    context.info(
      `the command takes the key from ${environmentVariables.apiKey}: set it to the key from ${origin}`,
    );
  if (flags.dedupKey !== undefined)
    context.info("with --dedup-key, a create sends nothing while an incident with the same key is open");
  if (!areNamed(flags, definitions)) context.info("without an id in the definition, each run uses a new one");
  // An open incident of the key is the answer, and --new is another incident.
  if (!flags.new && !flags.noJournal && flags.dedupKey === undefined) {
    await tellDeclared(context, input, target, definitions, isStartRelative);
  }
  if (isRepeatable) announceConfirmation(context, preview);
  return dryRunParts(preview, isRepeatable);
}

/** Tells which creates would send nothing, as the journal of this machine says. A shared one is elsewhere, and not asked. */
async function tellDeclared(
  context: RunContext,
  { flags }: CreateInput,
  target: Pick<ServiceTarget, "account" | "baseUrl">,
  definitions: readonly LocatedDefinition[],
  isStartRelative: boolean,
): Promise<void> {
  const account = target.account.value;
  const service = { baseUrl: target.baseUrl.value, account: account?.toLowerCase() };
  const keyed = flags.key === undefined ? undefined : idForText(service, flags.key);
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
