// `incident apply`: brings the incident of each definition of a folder to the state in the file, any number of times.
import { setMaxListeners } from "node:events";
import { connect } from "../../api/connect.ts";
import { operationsOf } from "../../api/known-operations.ts";
import { applyPlan } from "../../delivery/apply.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { type PlanOptions, planDefinitions } from "../../delivery/plan.ts";
import { bestEffort, Failure } from "../../failure.ts";
import {
  defineCommand,
  type FlagsOf,
  type Input,
  type Run,
  type RunContext,
} from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import type { Report } from "../../kit/report.ts";
import { confirmFlags, definitionFlags, emergencyFlags, exclusiveConfirm } from "../../kit/shared-flags.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import { checkMemory } from "../sending/ci.ts";
import {
  announceConfirmation,
  confirmableBy,
  type Preview,
  previewOf,
  readKeylessTarget,
} from "../sending/preview.ts";
import { type Consent, checkConfirmFlag, type Sending, send } from "../sending/send.ts";
import { namedFiles, warnOfOtherPolicies } from "../shared/checks.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { warnOfUnproven, withBaseUrlSuspect } from "../shared/doubts.ts";
import { canAsk } from "../shared/questions.ts";
import { tellDrift, writeCiReport } from "./ci-report.ts";
import { type ApplyProposal, proposeApply } from "./plan.ts";
import { type AppliedFile, applyFailure, envelopeOf, withFiles } from "./result.ts";

export const spec = defineCommand({
  name: "apply",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...definitionFlags,
    file: {
      ...definitionFlags.file,
      summary: "a folder or a YAML file of definitions, each with an id (repeatable)",
    },
    dryRun: flag.switch("--dry-run", "print the plan and send nothing"),
    reopen: flag.switch("--reopen", "post updates to an incident that is resolved meanwhile"),
    force: flag.switch("--force", "write name, severity and services over what somebody changed"),
    maxChanges: flag.count(
      "--max-changes <count>",
      "send more creates, updates and edits than this only with --yes (default: 10)",
    ),
    recreate: flag.switch(
      "--recreate",
      "declare an incident again that was declared from here and no longer exists",
    ),
    allowDrift: flag.switch("--allow-drift", "permit differences that stay, which are else exit code 11"),
    ...confirmFlags,
    ...emergencyFlags,
  },
  exclusive: [exclusiveConfirm],
  result: "plan",
  examples: {
    "incident apply -f incidents/ --dry-run": "what would be sent",
    "incident apply -f incidents/ --dry-run -o markdown": "the same, for the comment of a pull request",
    "incident apply -f incidents/": "declare what is missing, and post what was added",
    "incident apply -f incidents/ -R --allow-drift": "leave differences as they are",
  },
  notes:
    "A definition is a timeline, the oldest update first. An update that is added at its end is posted, and a name, a severity or services that are changed in it are edited, where the service's document describes how. Every definition needs an id: incident validate --fix --assign-ids adds the missing ones.",
});

type ApplyFlags = FlagsOf<typeof spec>;
type ApplyInput = Input<ApplyFlags>;

const defaultConcurrency = 16;

/** For a shared journal: the creates that begin together share a push. */
const sharedConcurrency = 64;

/** More changes than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxChanges = 10;

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
    operations: async () => {
      const known = await operationsOf(context, client.settings);
      if (known.isKnown) return known;
      // It stops only the definitions that need it.
      return { ...known, failure: known.failure.with({ kind: "unavailable", unreachable: false }) };
    },
    progress: (done, all) => context.progress(done === all ? "" : `${done} of ${all}`),
  };

  const plan = await planDefinitions(applying, plain);
  const untried = plan.map((each) => ({ ...each, result: "not-tried" }) as const);
  const planned = withFiles(untried, definitions, webUrl);
  const proposal = proposeApply(client.settings, planned, { spec, input }, flags);
  const sending: Sending = {
    input,
    settings: client.settings,
    incidents: proposal.incidents,
    preview: () => previewOf(context, proposal),
    subject: proposal.subject,
    asks: proposal.changes === 0 ? "none" : "all",
    isDryRun: flags.dryRun || context.system.signal.aborted,
  };
  const show = async (preview: Preview) => {
    const shown = await reportPlan(context, input, planned, proposal, preview);
    if (plan.length > 0 && plan.every(({ action }) => action === "create"))
      await warnOfUnproven(context, client);
    return shown;
  };
  return send(context, sending, show, async (consent) => {
    if (proposal.incidents.length > 0) await consent.agree();
    checkCount(context, input, proposal, consent);
    const applied = await applyPlan({ ...applying, beforeSend: consent.beforeSend }, plan);
    const files = withFiles(applied, definitions, webUrl);
    await tellDrift(context, input, files);
    const envelope = envelopeOf(files, false);
    await writeCiReport(context, envelope);
    const failure = applyFailure(files, flags, context.system.signal);
    return {
      is: "plan",
      facts: envelope,
      ...(failure && { failure: await withBaseUrlSuspect(context, failure, connection) }),
      onPrinted: () => bestEffort(context, () => state.tidy()),
    } satisfies Report<"plan">;
  });
};

/** Throws a `Failure` "usage" for more changes than a run sends that asks nobody. */
function checkCount(
  context: RunContext,
  { flags, global }: ApplyInput,
  plan: ApplyProposal,
  consent: Consent,
) {
  const { maxChanges = defaultMaxChanges } = flags;
  const isPermitted = consent.isConfirmed || global.yes || canAsk(context, global);
  if (isPermitted || plan.changes <= maxChanges) return;
  const message = `this would send ${plan.changes} creates, updates and edits, more than ${maxChanges}: the account may be wrong, or the service empty`;
  throw new Failure("usage", message, {
    hint: `nothing was sent; check the account, and look at the plan with --dry-run; then give this run, and no later one, --max-changes ${plan.changes}`,
  });
}

/** Reads no incident: for a job that shows the plan to reviewers and holds no secret. */
async function reportWithoutKey(
  context: RunContext,
  input: ApplyInput,
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
  const proposal = proposeApply(target, planned, { spec, input }, { isAll: true });
  return reportPlan(context, input, planned, proposal, await previewOf(context, proposal));
}

/** The plan with its digest, and the command line that sends exactly it. */
async function reportPlan(
  context: RunContext,
  input: ApplyInput,
  planned: readonly AppliedFile[],
  { changes, facts, incidents }: ApplyProposal,
  preview: Preview,
): Promise<Report<"plan">> {
  const { flags, global } = input;
  const { maxChanges = defaultMaxChanges } = flags;
  if (changes > maxChanges && !global.yes)
    context.warn(
      `this plan has ${changes} creates, updates and edits, more than ${maxChanges}: without a terminal, the run needs --yes or --max-changes ${changes}`,
    );
  if (incidents.length > 0) announceConfirmation(context, preview);
  await tellDrift(context, input, planned);
  const failure = applyFailure(planned, { ...flags, dryRun: true }, context.system.signal);
  const confirmable =
    incidents.length > 0 ? { ...facts, ...confirmableBy(preview) } : envelopeOf(planned, true);
  return { is: "plan", facts: confirmable, ...(failure && { failure }) };
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
