// `incident apply`: makes sure that each definition of a folder exists, any number of times.
import { setMaxListeners } from "node:events";
import { connect } from "../../api/connect.ts";
import { type AppliedDefinition, type ApplyOptions, applyInParts, applyPlan } from "../../delivery/apply.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { type PlannedDefinition, planDefinitions } from "../../delivery/plan.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { Failure } from "../../failure.ts";
import type { Rate } from "../../http/rate-limiter.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { Flags, GlobalFlags, Report, Run, RunContext } from "../define-command.ts";
import type { applyOptions } from "../options.ts";
import { bestEffort } from "../shared/best-effort.ts";
import { canAsk, confirm } from "../shared/confirm.ts";
import { createNotificationNotice } from "../shared/notification-notice.ts";
import { invalidFailure, readDefinitions } from "../shared/read-definitions.ts";
import { type ApplyEnvelope, applyFailure, envelopeOf } from "./apply-result.ts";
import { writeCiReport } from "./ci-report.ts";

type ApplyFlags = Flags<typeof applyOptions>;

/** More creates than this in one run want --yes: a wrong account must not turn into a flood. */
const defaultMaxCreates = 10;

const defaultConcurrency = 16;

export const run: Run = async (context, { flags, format, global }) => {
  const given = flags as ApplyFlags;
  const { file = [] } = given;
  if (file.length === 0) {
    throw new Failure("usage", "there is nothing to apply", { hint: "name a folder or a file with -f" });
  }
  const definitions = await readChecked(context, given, global);

  // Ctrl-C lets what is under way finish, so requests do not get its signal; a second one ends it hard.
  const unhurried = { ...context, signal: new AbortController().signal };
  // Each request listens to it.
  setMaxListeners(0, unhurried.signal);
  const rate = given.rateLimit === undefined ? undefined : parseRate(given.rateLimit);
  const client = await connect(unhurried, { ...global, rate });
  const { delivering, state } = openDelivery(unhurried, client, global);
  const applying: ApplyOptions = {
    ...delivering,
    roomFor: client.waitForCapacity,
    stop: context.signal,
    concurrency: given.concurrency ?? defaultConcurrency,
    failFast: given.failFast ?? false,
    recreate: given.recreate ?? false,
    goOn: global.yes ?? false,
    progress: (done, all) => context.progress(done === all ? "" : `${done} of ${all}`),
  };

  const begin = createNotices(context, global);
  let applied: readonly AppliedDefinition[];
  if (global.yes && !given.dryRun) {
    applied = await applyInParts(applying, definitions, begin);
  } else {
    const plan = await planDefinitions(applying, definitions);
    if (given.dryRun || context.signal.aborted)
      return report(context, given, plan.map(asPlanned), { dryRun: true });
    await checkPlan(context, global, given, plan, format === "table");
    applied = await applyPlan({ ...applying, beforeSend: begin(plan) }, plan);
  }
  const result = await report(context, given, applied, { dryRun: false });
  return { ...result, onPrinted: () => bestEffort(context, () => state.prune()) };
};

/** For each plan, what is said before its first create; the same is not said again. */
function createNotices(context: RunContext, global: GlobalFlags) {
  const said = new Set<string>();
  const note = (text: string) => {
    if (!said.has(text)) context.info(text);
    said.add(text);
  };
  const noting = { ...context, note };
  return (plan: readonly PlannedDefinition[]) => {
    const missing = plan.filter(({ action }) => action !== "unchanged" && action !== "drifted");
    const definitions = missing.map(({ located }) => located.definition);
    // Whoever was asked has seen in the plan who is notified.
    return createNotificationNotice(noting, global, definitions, true);
  };
}

async function report(
  context: RunContext,
  flags: ApplyFlags,
  applied: readonly AppliedDefinition[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<Report> {
  const envelope = envelopeOf(applied, dryRun);
  const failure = applyFailure(applied, {
    dryRun,
    failOnDrift: flags.failOnDrift ?? false,
    signal: context.signal,
  });
  if (!flags.noCiReport && !dryRun) await writeCiReport(context, envelope);
  return {
    data: envelope,
    ids: envelope.results.map(({ serviceId, id }) => serviceId ?? id),
    page: async (style) => (await import("../../view/plan.ts")).renderPlan(style, envelope),
    ...(failure && { failure }),
  };
}

/** The definitions, which have an id each. */
async function readChecked(
  context: RunContext,
  { file = [], recursive = false, var: variables, vars }: ApplyFlags,
  { noProject }: GlobalFlags,
): Promise<readonly LocatedDefinition[]> {
  const options = { recurse: recursive, var: variables, vars, noProject };
  const definitions = await readDefinitions(context, file, options);
  checkIds(definitions);
  return definitions;
}

/** `600/60`: that many requests in that many seconds. */
function parseRate(text: string): Rate {
  const match = /^([1-9]\d{0,6})\/([1-9]\d{0,4})$/.exec(text);
  if (match !== null) return { requests: Number(match[1]), window: Number(match[2]) * 1000 };
  throw new Failure("usage", `--rate-limit cannot be "${text}"`, {
    hint: "write requests and seconds, such as 600/60",
  });
}

/** A plan shown is a result of which nothing has been done yet. */
function asPlanned(planned: PlannedDefinition): AppliedDefinition {
  return { ...planned, result: "not-tried" };
}

/** Every definition needs an id of its own: it is what makes a rerun the same incident. */
function checkIds(definitions: readonly LocatedDefinition[]): void {
  const diagnostics: Diagnostic[] = [];
  const seen = new Map<string, LocatedDefinition>();
  for (const located of definitions) {
    const id = located.definition.id?.toLowerCase();
    const first = id === undefined ? undefined : seen.get(id);
    if (id === undefined) {
      diagnostics.push({
        code: "missing-id",
        level: "error",
        message: "the definition has no id, so a second run could not know that it is the same incident",
        hint: `give it one with incident validate --fix --assign-ids ${located.file}`,
        location: located.locate([]),
      });
    } else if (first === undefined) seen.set(id, located);
    else {
      const { file, start } = first.locate(["id"]);
      diagnostics.push({
        code: "duplicate-id",
        level: "error",
        message: `this id is taken already, at ${file}:${start.line}:${start.column}`,
        hint: "give one of the two an id of its own: take it out, then run incident validate --fix --assign-ids",
        location: located.locate(["id"]),
      });
    }
  }
  if (diagnostics.length > 0)
    throw invalidFailure(diagnostics, "correct what is named above; nothing was sent");
}

/** Asks a person, and stops what looks like a flood. */
async function checkPlan(
  context: RunContext,
  global: GlobalFlags,
  { maxCreates = defaultMaxCreates, recreate }: ApplyFlags,
  plan: readonly PlannedDefinition[],
  isTable: boolean,
): Promise<void> {
  const creates = plan.filter(({ action }) => action === "create" || (action === "gone" && recreate)).length;
  if (creates === 0) return;
  if (canAsk(context, global)) {
    const envelope: ApplyEnvelope = envelopeOf(plan.map(asPlanned), true);
    if (isTable) {
      const { renderPlan } = await import("../../view/plan.ts");
      await context.show((style) => renderPlan(style, envelope));
    }
    await confirm(context, global, `Declare ${creates === 1 ? "1 incident" : `${creates} incidents`}?`);
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
