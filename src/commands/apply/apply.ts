// `incident apply`: brings the incident of each definition of a folder to the state in the file, any number of times.
import { setMaxListeners } from "node:events";
import { connect } from "../../api/connect.ts";
import { type KnownOperations, operationsOf } from "../../api/known-operations.ts";
import { applyPlan } from "../../delivery/apply.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { type PlanOptions, planDefinitions } from "../../delivery/plan.ts";
import { bestEffort, Failure } from "../../failure.ts";
import type { FlagsOf, Input, Run, RunContext } from "../../kit/define-command.ts";
import type { Report } from "../../kit/report.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { PlanFacts } from "../../view/plan.ts";
import { checkMemory } from "../sending/ci.ts";
import { checkConfirmFlag } from "../sending/consent.ts";
import { describeNotified, type PlannedIncident } from "../sending/plan.ts";
import { readKeylessTarget } from "../sending/preview.ts";
import { warnOfUnproven, withBaseUrlSuspect } from "../shared/base-url.ts";
import { namedFiles, warnOfOtherPolicies } from "../shared/checks.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { tellDrift, writeCiReport } from "./ci-report.ts";
import { announcePlan, confirmPlan, plannedIncidents } from "./plan.ts";
import { type AppliedFile, applyFailure, envelopeOf, withFiles } from "./result.ts";
import type { spec } from "./spec.ts";

export { spec } from "./spec.ts";

type ApplyFlags = FlagsOf<typeof spec>;

const defaultConcurrency = 16;

/** For a shared journal: the creates that begin together share a push. */
const sharedConcurrency = 64;

/** A single create has fewer: among many runners, a request can be refused for its rate several times. */
const defaultRetries = 8;

export const run: Run<typeof spec> = async (context, input) => {
  const { operands, flags, global } = input;
  checkMemory(context, await context.workspace.journal(), flags.dryRun ?? false);
  const named = namedFiles(operands, flags.file);
  checkConfirmFlag(flags);
  const definitions = await readChecked(context, named, flags);

  if (flags.dryRun && (await context.workspace.settings()).apiKey.setting === undefined)
    return reportWithoutKey(context, input, definitions);

  // The first Ctrl-C lets the running requests finish, so they do not get its signal. A second one ends the process.
  // --deadline ends them.
  const { deadline: signal = new AbortController().signal } = context.system;
  const uninterrupted = { ...context, system: { ...context.system, signal } };
  // Each request adds a listener.
  setMaxListeners(0, signal);
  const patient = { ...global, maxRetries: defaultRetries };
  const connection = await connect(uninterrupted, { ...patient, readsDocument: true });
  const { client } = connection;
  const { webUrl } = client.settings;
  const { delivery, state } = await openDelivery(uninterrupted, connection, patient);
  await warnOfOtherPolicies(context, definitions);
  const plain = definitions.map(({ definition }) => definition);
  const applying: PlanOptions = {
    ...delivery,
    confirmed: flags.confirm,
    stop: context.system.signal,
    concurrency: state.isShared ? sharedConcurrency : defaultConcurrency,
    recreate: flags.recreate ?? false,
    reopens: flags.reopen ?? false,
    overwrites: flags.force ?? false,
    operations: once(() => operationsOf(context, client.settings)),
    progress: (done, all) => context.progress(done === all ? "" : `${done} of ${all}`),
  };

  const plan = await planDefinitions(applying, plain);
  const untried = plan.map((each) => ({ ...each, result: "not-tried" }) as const);
  const planned = withFiles(untried, definitions, webUrl);
  if (flags.dryRun || context.system.signal.aborted) {
    context.info("nothing was sent");
    const confirmable = await announcePlan(context, client.settings, planned, input);
    await tellDrift(context, input, planned);
    if (plan.length > 0 && plan.every(({ action }) => action === "create"))
      await warnOfUnproven(context, client);
    return report(context, input, planned, confirmable);
  }
  await confirmPlan(context, client.settings, planned, input);
  const beforeSend = noticeOf(context, plannedIncidents(client.settings, plan, flags));
  const applied = await applyPlan({ ...applying, beforeSend }, plan);
  const files = withFiles(applied, definitions, webUrl);
  await tellDrift(context, input, files);
  const result = await report(context, input, files);
  const failure = result.failure && (await withBaseUrlSuspect(context, result.failure, connection));
  return {
    ...result,
    ...(failure && { failure }),
    onPrinted: () => bestEffort(context, () => state.tidy()),
  };
};

/** Reads the document for all definitions together; one that cannot be read stops only those that need it. */
function once(read: () => Promise<KnownOperations>): () => Promise<KnownOperations> {
  let known: Promise<KnownOperations> | undefined;
  return () => {
    known ??= read().then((each) =>
      each.isKnown
        ? each
        : { ...each, failure: each.failure.with({ kind: "unavailable", unreachable: false }) },
    );
    return known;
  };
}

/** Tells once whom the requests notify, right before the first is sent. */
function noticeOf(context: RunContext, planned: readonly PlannedIncident[]): () => Promise<void> {
  const lines = describeNotified(planned, false);
  return async () => {
    for (const line of lines.splice(0)) context.info(line);
  };
}

/** Reads no incident: for a job that shows the plan to reviewers and holds no secret. */
async function reportWithoutKey(
  context: RunContext,
  input: Input<ApplyFlags>,
  definitions: readonly LocatedDefinition[],
): Promise<Report<"plan">> {
  const target = await readKeylessTarget(context);
  const service = { baseUrl: target.baseUrl.value, account: target.account.value?.toLowerCase() };
  const plan = definitions.map(({ definition }) => ({
    definition,
    key: { ...service, id: (definition.id ?? "").toLowerCase() },
    ...({ action: "not-read", result: "not-tried", readAt: 0 } as const),
  }));
  const planned = withFiles(plan, definitions, target.webUrl);
  context.info("nothing was sent");
  context.info(
    "without an API key, no incident was read: this is everything that the definitions say, and its confirmation permits the part of it that the service lacks",
  );
  return report(context, input, planned, await announcePlan(context, target, planned, input, true));
}

/** `confirmable` is for a dry run: the requests of the plan, their digest, and the command line that sends exactly these. */
async function report(
  context: RunContext,
  { flags }: Input<ApplyFlags>,
  applied: readonly AppliedFile[],
  confirmable?: Partial<PlanFacts>,
): Promise<Report<"plan">> {
  const dryRun = confirmable !== undefined;
  const envelope = envelopeOf(applied, dryRun);
  const failure = applyFailure(applied, { ...flags, dryRun }, context.system.signal);
  if (!dryRun) await writeCiReport(context, envelope);
  return {
    is: "plan",
    facts: { ...envelope, ...confirmable },
    ...(failure && { failure }),
  };
}

async function readChecked(
  context: RunContext,
  named: readonly string[],
  flags: ApplyFlags,
): Promise<readonly LocatedDefinition[]> {
  const files = named.length > 0 ? named : await context.workspace.definitionFolders();
  if (files.length === 0) {
    throw new Failure("usage", "there is nothing to apply", {
      hint: "name a folder or a file with -f, or - for stdin (-f -), or list the project's folders under definitions: in .incident.yaml",
    });
  }
  const options = { ...flags, recurse: flags.recursive ?? false, requireIds: true };
  return (await readDefinitions(context, files, options)).definitions;
}
