// The requests of a create, and their preview: --dry-run, --confirm, and `confirm:` of the profile or the policy.
import type { RequestTarget } from "../../api/request.ts";
import { idForGeneration, idForText } from "../../delivery/incident-id.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
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
    const { tellDeclared } = await import("./declared.ts");
    await tellDeclared(context, input, target, definitions, isStartRelative);
  }
  if (isRepeatable) announceConfirmation(context, preview);
  return dryRunParts(preview, isRepeatable);
}
