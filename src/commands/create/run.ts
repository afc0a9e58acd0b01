// `incident create`: checks every file, then declares each incident in order, exactly once.
import type { Client } from "../../api/client.ts";
import { connect } from "../../api/connect.ts";
import { type BatchOptions, createAll } from "../../delivery/batch/batch.ts";
import type { DedupResult } from "../../delivery/batch/dedup-key.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { bestEffort, Failure } from "../../failure.ts";
import type { Definition } from "../../incident/definition.ts";
import type { Prompts, Reporter } from "../../platform/context.ts";
import { type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import type { LocatedDefinition } from "../../source/definitions.ts";
import type { FlagsOf, GlobalFlags, Run, RunContext } from "../define-command.ts";
import { canAsk, canPrompt, isYes } from "../shared/confirm.ts";
import { fieldsOf, type IncidentFlags, isComplete } from "../shared/flag-overrides.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { invalidFailure } from "../shared/invalid-failure.ts";
import { readContract, readPolicy } from "../shared/load-options.ts";
import { namedFiles } from "../shared/named-files.ts";
import {
  createNotificationNotice,
  DeclareSilently,
  withoutNotifications,
} from "../shared/notification-notice.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { withBaseUrlSuspect } from "../shared/suspect-base-url.ts";
import type { AskValue } from "../shared/templates.ts";
import { checkKeys } from "./check-keys.ts";
import type { spec } from "./spec.ts";
import { parseStartTime } from "./started-at.ts";

export const run: Run<typeof spec> = async (context, input) => {
  if (input.flags.template === undefined) return declare(context, input);
  const { declareWhereApplicable } = await import("./not-applicable.ts");
  return declareWhereApplicable(context, input, declare);
};

const declare: Run<typeof spec> = async (context, { operands, flags, format, global }) => {
  const { recursive = false, dryRun = false } = flags;
  if (flags.confirm !== undefined) (await import("../shared/consent/consent.ts")).checkConfirmFlag(flags);
  const file = namedFiles(operands, flags.file);
  const start =
    flags.startedAt === undefined ? undefined : parseStartTime(flags.startedAt, context.system.clock.now());
  const fields = fieldsOf({ ...flags, startedAt: start?.date });
  const { template } = flags;
  if (template !== undefined && file.length > 0) {
    throw new Failure("usage", "--template cannot be used together with files", {
      hint: "leave one of the two out",
    });
  }
  const named = file.length > 0 || template !== undefined;
  const asks = !named && !isComplete(fields) && canPrompt(context, global);
  if (!named && Object.keys(fields).length === 0 && !asks) {
    const isDumb = canAsk(context, global) && !canPrompt(context, global);
    const reason = isDumb ? ", and with TERM=dumb the questions cannot be drawn" : "";
    throw new Failure("usage", `no definition was given${reason}`, {
      hint: "name a file with -f, or - for stdin (-f -), or give --name, --severity, --service and --message",
    });
  }
  if (format === "curl" && !dryRun) {
    throw new Failure("usage", "-o curl only works with --dry-run", {
      hint: "add --dry-run",
    });
  }
  const options = {
    recurse: recursive,
    var: flags.var,
    vars: flags.vars,
    stateDir: global.stateDir,
    ignoreContract: flags.ignoreContract,
    overridePolicy: flags.overridePolicy,
    fields,
    template,
    rule: { needsDedupKey: flags.key === undefined && flags.dedupKey === undefined },
    ...(template !== undefined &&
      canPrompt(context, global) && { ask: await openValueQuestions(context, global) }),
  };
  // Check the settings before the first question.
  const early = asks && !dryRun ? await connect(context, global) : undefined;
  const asked = asks ? await ask(context, global, { flags, fields }, early?.client) : undefined;
  const definitions = asked ? [asked.definition] : await readDefinitions(context, file, options);
  const dedupKey: string | undefined = flags.dedupKey ?? definitions[0]?.dedupKey;
  checkKeys({ ...flags, dedupKey }, definitions);
  const exact = { ...(dedupKey && { dedupKey }), ...(start && { startedAt: start.date }) };
  const input = { operands, flags: { ...flags, ...exact }, format, global };
  if (dryRun) {
    const { dryRunReport } = await import("./dry-run.ts");
    return dryRunReport(context, definitions, input, { isRepeatable: asked === undefined });
  }
  const connection = early ?? (await connect(context, global));
  const { client } = connection;
  const { confirm } = flags;
  const isWatched = (confirm ?? client.settings.confirm?.value ?? "never") !== "never";
  const consent = isWatched
    ? await (await import("./consent.ts")).openConsent(context, client.settings, definitions, input)
    : undefined;
  const asking = consent?.isNeeded ? { ...global, yes: false } : global;
  const { state, delivery } = await openDelivery(context, connection, {
    ...global,
    noJournal: flags.noJournal,
    withoutLooking: flags.withoutLooking,
    isNew: flags.new,
  });
  const plain = definitions.map(({ definition }) => definition);
  const batch = {
    ...delivery,
    policyOverride: flags.overridePolicy,
    confirmed: confirm,
    claims: state.claims,
    subjects: state.subjects,
    key: flags.key,
    isNew: flags.new ?? false,
    isStartRelative: start?.isRelative ?? false,
    ...(canAsk(context, global) &&
      !global.yes && {
        confirmSimilar: (similar: string) => confirmAfter(context, similar, similarQuestion),
      }),
    ...(canAsk(context, global) && {
      confirmResend: (problem: Failure) => confirmAfter(context, problem.message, resendQuestion),
      confirmWithoutLook: (problem: Failure) => confirmAfter(context, problem.message, withoutLookQuestion),
    }),
  };
  const deliver = (all: readonly Definition[], isConfirmed: boolean): Promise<DedupResult> => {
    const target = isConfirmed ? undefined : client.settings;
    const notice = createNotificationNotice(context, asking, all, target);
    const options = { ...batch, beforeSend: consent?.refuse ?? notice };
    return dedupKey === undefined ? createAll(options, all) : createDeduplicated(options, all, dedupKey);
  };
  const { acknowledge, earlier, failure, incidents, outcome } = await deliver(
    plain,
    (asked ?? confirm) !== undefined,
  ).catch((error) => {
    // The question comes before the first create, so that nothing was sent.
    if (!(error instanceof DeclareSilently)) throw error;
    return deliver(withoutNotifications(plain), true);
  });
  if (incidents.length > 0) asked?.discardDraft();
  const onPrinted = () =>
    bestEffort(context, async () => {
      await acknowledge();
      if (earlier !== undefined)
        state.firings?.add(earlier, new Date(context.system.clock.now()).toISOString());
      await state.prune();
    });
  const explained =
    failure &&
    (await withRefusal(
      withBaseUrlSuspect(context, failure, connection, global.stateDir),
      definitions[incidents.length],
    ));
  const { data, ...report } = incidentsReport(incidents, client.settings.webUrl, explained);
  return { ...report, data: outcome === undefined ? data : { how: outcome, ...incidents[0] }, onPrinted };
};

async function createDeduplicated(
  options: BatchOptions,
  definitions: readonly Definition[],
  text: string,
): Promise<DedupResult> {
  const { createUnlessOpen } = await import("../../delivery/batch/dedup-key.ts");
  // An open incident of the key is the answer, so that a similar one needs no question.
  return createUnlessOpen({ ...options, isNew: true }, definitions[0] as Definition, text);
}

async function openValueQuestions(context: RunContext, global: GlobalFlags): Promise<AskValue> {
  const { createAskValue } = await import("./ask-value.ts");
  return createAskValue(context, global);
}

/** The failure with the fields of the definition that the service refused. */
async function withRefusal(failure: Failure, failed: LocatedDefinition | undefined): Promise<Failure> {
  if (failure.response === undefined) return failure;
  const { withRefusedFields } = await import("../shared/refusal-diagnostics.ts");
  return withRefusedFields(failure, failed?.locate);
}

async function ask(
  context: RunContext,
  global: GlobalFlags,
  { fields, flags }: { readonly fields: IncidentFlags; readonly flags: FlagsOf<typeof spec> },
  client: Client | undefined,
) {
  const { askForDefinition } = await import("./interactive.ts");
  const contract = await readContract(context, flags);
  const policy = await readPolicy(context, flags);
  if (policy.diagnostics.length > 0) throw invalidFailure(policy.diagnostics, "correct the policy");
  const asked = await askForDefinition(context, global, fields, { client, contract, policy: policy.check });
  policy.reportOverride([asked.definition]);
  return asked;
}

const similarQuestion = safe`Declare another incident? [y/N] `;
const resendQuestion = safe`Send it again? If the first was created, there may be two. [y/N] `;
const withoutLookQuestion = safe`Send it anyway? If it exists already, there may be two. [y/N] `;

async function confirmAfter(
  { prompts, warn }: { readonly prompts: Pick<Prompts, "ask"> } & Pick<Reporter, "warn">,
  problem: string,
  question: SafeText,
): Promise<boolean> {
  warn(problem);
  const answer = await prompts.ask(question);
  return answer !== undefined && isYes(answer);
}
