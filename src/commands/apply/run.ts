// `incident apply`: makes sure that each definition of a folder exists, any number of times.
import { setMaxListeners } from "node:events";
import { connect } from "../../api/connect.ts";
import { type AppliedDefinition, type ApplyOptions, applyInParts, applyPlan } from "../../delivery/apply.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { type PlannedDefinition, planDefinitions } from "../../delivery/plan.ts";
import { bestEffort, Failure } from "../../failure.ts";
import type { Rate } from "../../http/rate-limiter.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { FlagsOf, GlobalFlags, Report, Run, RunContext } from "../define-command.ts";
import { canAsk, confirm } from "../shared/confirm.ts";
import { namedFiles } from "../shared/named-files.ts";
import { createNotificationNotice, describeTarget } from "../shared/notification-notice.ts";
import { projectDefinitionFolders } from "../shared/project-definitions.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { type AppliedFile, type ApplyEnvelope, applyFailure, envelopeOf } from "./apply-result.ts";
import { writeCiReport } from "./ci-report.ts";
import type { spec } from "./spec.ts";

type ApplyFlags = FlagsOf<typeof spec>;

/** More creates than this in one run require --yes, because a wrong account would cause a flood. */
const defaultMaxCreates = 10;

const defaultConcurrency = 16;

export const run: Run<typeof spec> = async (context, { operands, flags, format, global }) => {
  const named = namedFiles(operands, flags.file);
  const definitions = await readChecked(context, named, flags, global);

  // The first Ctrl-C lets the running requests finish, so they do not get its signal. A second one ends the process.
  // --deadline ends them.
  const { deadline: signal = new AbortController().signal } = context.system;
  const uninterrupted = { ...context, system: { ...context.system, signal } };
  // Each request adds a listener.
  setMaxListeners(0, signal);
  const rate = flags.rateLimit === undefined ? undefined : parseRate(flags.rateLimit);
  const { client, rateLimiter } = await connect(uninterrupted, { ...global, rate });
  const { delivery, state } = await openDelivery(uninterrupted, client, global);
  const plain = definitions.map(({ definition }) => definition);
  const applying: ApplyOptions = {
    ...delivery,
    waitForCapacity: rateLimiter.waitForCapacity,
    stop: context.system.signal,
    concurrency: flags.concurrency ?? defaultConcurrency,
    failFast: flags.failFast ?? false,
    recreate: flags.recreate ?? false,
    acceptsOwnIds: global.yes ?? false,
    progress: (done, all) => context.progress(done === all ? "" : `${done} of ${all}`),
  };

  const begin = createNotices(context, global);
  let applied: readonly AppliedDefinition[];
  if (global.yes && !flags.dryRun) {
    applied = await applyInParts(applying, plain, begin);
  } else {
    const plan = await planDefinitions(applying, plain);
    if (flags.dryRun || context.system.signal.aborted)
      return report(context, flags, withFiles(plan.map(asPlanned), definitions), { dryRun: true });
    const target = describeTarget(client.settings);
    const planned = withFiles(plan.map(asPlanned), definitions);
    await checkPlan(context, { global, flags, target, isTable: format === "table" }, planned);
    applied = await applyPlan({ ...applying, beforeSend: begin(plan) }, plan);
  }
  const result = await report(context, flags, withFiles(applied, definitions), { dryRun: false });
  return { ...result, onPrinted: () => bestEffort(context, () => state.prune()) };
};

/** Creates the notification notice of each plan, and drops a notice that was already flags. */
function createNotices(context: RunContext, global: GlobalFlags) {
  const shown = new Set<string>();
  const info = (text: string) => {
    if (!shown.has(text)) context.info(text);
    shown.add(text);
  };
  return (plan: readonly PlannedDefinition[]) => {
    const missing = plan.filter(({ action }) => action !== "unchanged" && action !== "drifted");
    const definitions = missing.map(({ definition }) => definition);
    // The plan that a person confirms already names the notified subscribers.
    return createNotificationNotice({ ...context, info }, global, definitions, undefined);
  };
}

async function report(
  context: RunContext,
  flags: ApplyFlags,
  applied: readonly AppliedFile[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<Report> {
  const envelope = envelopeOf(applied, dryRun);
  const failure = applyFailure(applied, {
    dryRun,
    failOnDrift: flags.failOnDrift ?? false,
    signal: context.system.signal,
  });
  if (!flags.noCiReport && !dryRun) await writeCiReport(context, envelope);
  return {
    data: envelope,
    ids: envelope.results.map(({ serviceId, id }) => serviceId ?? id),
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, envelope),
    ...(failure && { failure }),
  };
}

/** The definitions, each with an id. */
async function readChecked(
  context: RunContext,
  named: readonly string[],
  { recursive = false, var: variables, vars }: ApplyFlags,
  { noProject, profile }: GlobalFlags,
): Promise<readonly LocatedDefinition[]> {
  const files = named.length > 0 ? named : await projectDefinitionFolders(context, { noProject });
  if (files.length === 0) {
    throw new Failure("usage", "there is nothing to apply", {
      hint: "name a folder or a file with -f, or list the project's folders under definitions: in .incident.yaml",
    });
  }
  const options = { recurse: recursive, var: variables, vars, noProject, profile, requireIds: true };
  return readDefinitions(context, files, options);
}

/** Parses `600/60`: requests and seconds. */
function parseRate(text: string): Rate {
  const match = /^([1-9]\d{0,6})\/([1-9]\d{0,4})$/.exec(text);
  if (match !== null) return { requests: Number(match[1]), window: Number(match[2]) * 1000 };
  throw new Failure("usage", `--rate-limit cannot be "${text}"`, {
    hint: "write requests and seconds, such as 600/60",
  });
}

/** The results are in the order of the definitions. */
function withFiles(
  applied: readonly AppliedDefinition[],
  definitions: readonly LocatedDefinition[],
): readonly AppliedFile[] {
  return applied.map((entry, index) => ({ ...entry, file: definitions[index]?.file ?? "" }));
}

/** A planned definition as a result without an action. */
function asPlanned(planned: PlannedDefinition): AppliedDefinition {
  return { ...planned, result: "not-tried" };
}

interface CheckPlanOptions {
  readonly flags: ApplyFlags;
  readonly global: GlobalFlags;
  readonly isTable: boolean;
  /** The host and the account. */
  readonly target: string;
}

/** Asks the person to confirm. Without a person, refuses a plan with too many creates. */
async function checkPlan(
  context: RunContext,
  { flags, global, isTable, target }: CheckPlanOptions,
  plan: readonly AppliedFile[],
): Promise<void> {
  const { maxCreates = defaultMaxCreates, recreate } = flags;
  const creates = plan.filter(({ action }) => action === "create" || (action === "gone" && recreate)).length;
  if (creates === 0) return;
  if (canAsk(context, global)) {
    const envelope: ApplyEnvelope = envelopeOf(plan, true);
    if (isTable) {
      const { renderPlan } = await import("../../view/plan.ts");
      await context.show((style) => renderPlan(style, envelope));
    }
    const count = creates === 1 ? "1 incident" : `${creates} incidents`;
    await confirm(context, global, `Declare ${count} ${target}?`);
  } else if (creates > maxCreates) {
    throw new Failure(
      "usage",
      `this would declare ${creates} incidents, more than ${maxCreates}: the wrong account, or an empty service?`,
      {
        hint: "check the account, and look at the plan with --dry-run; then go on with --yes, or allow more with --max-creates; nothing was sent",
      },
    );
  }
}
