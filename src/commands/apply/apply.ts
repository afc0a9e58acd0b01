// `incident apply`: brings the incident of each definition of a folder to the state in the file, any number of times.
import { setMaxListeners } from "node:events";
import { applyPlan, type PlanOptions, planDefinitions, tryPlan } from "../../delivery/apply.ts";
import { findAddingOperation } from "../../delivery/batch/batch.ts";
import { openDelivery } from "../../delivery/open-delivery.ts";
import { Failure } from "../../failure.ts";
import type { CommandSpec, FlagsOf, Run, RunContext } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { listReport, type Page, type Printed } from "../../kit/report.ts";
import { definitionFlags, sendFlags } from "../../kit/shared-flags.ts";
import { countOf } from "../../text/lengths.ts";
import { checkMemory } from "../sending/ci.ts";
import { openConsent } from "../sending/consent.ts";
import type { Plan } from "../sending/plan.ts";
import { announce } from "../sending/preview.ts";
import { namedOrFolders, readDefinitions } from "../shared/definitions.ts";
import { shortenJournal } from "../shared/incident-list.ts";
import { canAsk } from "../shared/questions.ts";
import { applyFailure, factsOf, type PlanFacts, planRequests } from "./plan.ts";

export const spec = {
  operands: "[file...]",
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
    recreate: flag.switch("--recreate", "declare an incident again that the service had, and no longer has"),
    allowDrift: flag.switch("--allow-drift", "permit differences that stay, which are else exit code 11"),
    confirm: sendFlags.confirm,
    ignoreContract: sendFlags.ignoreContract,
  },
  result: "incidents",
  examples: {
    "incident apply -f incidents/ --dry-run": "what would be sent",
    "incident apply -f incidents/ --dry-run -o markdown": "the same, for the comment of a pull request",
    "incident apply -f incidents/": "declare what is missing, and post what was added",
    "incident apply -f incidents/ -R --allow-drift": "leave differences as they are",
  },
  notes:
    "A definition is a timeline, the oldest update first. An update that is added at its end is posted, and a name, a severity or services that are changed in it are edited, where the service's document describes how. Every definition needs an id: incident validate --fix --assign-ids adds the missing ones.",
} as const satisfies CommandSpec;

type ApplyFlags = FlagsOf<typeof spec>;

export const run: Run<typeof spec> = async (context, input) => {
  const { operands, flags } = input;
  await checkMemory(context, flags.dryRun ?? false);
  const named = [...(flags.file ?? []), ...operands];
  const files = await namedOrFolders(context, named);
  const { definitions } = await readDefinitions(context, files, { ...flags, requireIds: true });
  const applying = await openApply(context, flags);
  const { settings } = applying.client;
  const plain = definitions.map(({ definition }) => definition);
  const compared = await planDefinitions(applying, plain);
  const isPreview = flags.dryRun || context.system.signal.aborted;
  const isShown = isPreview || flags.confirm !== undefined || (canAsk(context) && !context.global.yes);
  const tried = isShown ? await tryPlan(applying, compared) : compared;
  const planned = tried.map((each) => ({ ...each, result: "not-tried" }) as const);
  const adding = await findAddingOperation(applying.operations, plain);
  const requests = planRequests(applying, planned, adding);
  const facts = factsOf(planned, definitions, settings, requests);
  const incidents = requests.filter((each) => each.requests.length > 0);
  const changes = incidents.flatMap(({ requests }) => requests).length;
  const plan: Plan = {
    input,
    target: settings,
    incidents,
    adding,
    // A person may change the value after the preview showed it as the one to be replaced.
    terms: { edits: planned.map(({ changes }) => changes?.edit?.differences) },
    subject: `Apply ${countOf(changes, "change")}`,
    page: pageOf(facts),
    facts,
  };
  if (isPreview) {
    const announced = announce(context, plan);
    const failure = applyFailure(planned, { ...flags, dryRun: true }, context.system.signal);
    const isStopped = changes === 0 && failure !== undefined && failure.kind !== "drift";
    const confirmable = isStopped ? {} : announced;
    return { ...planReport({ ...facts, ...confirmable }), failure };
  }
  const { agree, beforeSend } = await openConsent(context, plan);
  if (changes > 0) await agree();
  checkCount(context, flags, changes);
  // The log of a draft is not that of the journal. A step that the preview refuses is not tried again.
  const confirmed = compared.map((one, at) => (tried[at]?.failure && tried[at]) ?? one);
  const applied = await applyPlan({ ...applying, beforeSend }, confirmed);
  const failure = applyFailure(applied, flags, context.system.signal);
  return {
    ...planReport(factsOf(applied, definitions, settings)),
    failure,
    onPrinted: () => shortenJournal(applying),
  };
};

const pageOf =
  (facts: PlanFacts): Page =>
  async (style) =>
    (await import("./page.ts")).renderPlan(style, facts);

function planReport(facts: PlanFacts): Printed<"incidents"> {
  const known = facts.results.filter(
    // A create that was refused, or not tried, has no incident.
    ({ action, posted, result = "" }) =>
      action !== "create" || posted !== undefined || !["failed", "not-tried"].includes(result),
  );
  const entries = known.map(({ id, name, serviceId = id }) => ({ id: serviceId, name }));
  const { ids, prints } = listReport(facts, entries, pageOf(facts));
  const markdown = async () => (await import("./page.ts")).renderMarkdown(facts);
  return { ids, prints: { ...prints, markdown } };
}

async function openApply(context: RunContext, flags: ApplyFlags): Promise<PlanOptions> {
  // The first Ctrl-C lets the running requests finish, and a second one ends the process. --deadline ends the requests.
  const { deadline: signal = new AbortController().signal } = context.system;
  const uninterrupted = { ...context, system: { ...context.system, signal } };
  // Each request adds a listener.
  setMaxListeners(0, signal);
  // Many runners share the rate limit, which can refuse a request several times.
  const delivery = await openDelivery(uninterrupted, { confirm: flags.confirm, maxRetries: 8 });
  return {
    ...delivery,
    stop: context.system.signal,
    recreate: flags.recreate ?? false,
    reopens: flags.reopen ?? false,
    overwrites: flags.force ?? false,
  };
}

/** Throws a `Failure` "usage" for too many changes without a question or --yes: a wrong account would cause a flood. */
function checkCount(context: RunContext, flags: ApplyFlags, changes: number) {
  const { confirm, maxChanges = 10 } = flags;
  if (confirm !== undefined || context.global.yes || canAsk(context) || changes <= maxChanges) return;
  const message = `this would send ${changes} creates, updates and edits, more than ${maxChanges}: the account may be wrong, or the service empty`;
  throw new Failure("usage", message, {
    hint: `nothing was sent; check the account, and look at the plan with --dry-run; then give this run, and no later one, --max-changes ${changes}`,
  });
}
