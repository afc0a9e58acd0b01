// `incident create` with a person at the terminal: asks for what was not given, shows what customers will see, and
// declares nothing that was not agreed to.
import type { Client } from "../../api/client.ts";
import { cancellation, Failure } from "../../failure.ts";
import { createBody, incidentFacts } from "../../incident/wire.ts";
import type { Choice, PromptSession } from "../../platform/context.ts";
import { defaultLoadOptions, type LocatedDefinition } from "../../source/definitions.ts";
import { supportsColor, supportsUnicode } from "../../view/terminal/capabilities.ts";
import { escapeLine } from "../../view/terminal/escape.ts";
import { formatAgo } from "../../view/terminal/time.ts";
import type { GlobalFlags, RunContext } from "../define-command.ts";
import { createJudge, createOverride, type IncidentFlags } from "../shared/flag-overrides.ts";
import { openLoadOptions } from "../shared/load-options.ts";
import { notifies, servicesOf } from "../shared/notification-notice.ts";
import { definitionOfFlags, invalidFailure } from "../shared/read-definitions.ts";
import { type Draft, type Drafts, openDrafts } from "./drafts.ts";
import { type Asking, type Field, fieldLabels, questions } from "./questions.ts";
import { saveDefinition } from "./save-definition.ts";

export interface Asked {
  readonly definition: LocatedDefinition;
  /** To be called when the incident is declared. */
  readonly discardDraft: () => void;
}

/** `client` undefined: nothing is to be sent, so there is nothing to agree to. */
export async function askForDefinition(
  context: RunContext,
  global: GlobalFlags,
  fields: IncidentFlags,
  client: Client | undefined,
): Promise<Asked> {
  const catalog = (await openLoadOptions(context, global)).loadOptions.catalog();
  if (catalog.diagnostics.length > 0) {
    throw invalidFailure(catalog.diagnostics, "correct the catalog, or leave it out with --no-project");
  }
  const given = draftOf((await createOverride(fields, () => catalog))?.apply({}));
  const { env, stderr } = context;
  const colour = supportsColor(env, stderr.isTerminal, global);
  const prompts = escaped(await context.openPrompts({ colour, unicode: supportsUnicode(env) }));
  const judge = await createJudge();
  const asking: Asking = {
    context,
    prompts,
    catalog,
    judge: (field, text) => {
      if (text.trim() === "") return "write something: customers will read it";
      const problem = judge(field, text);
      return problem && `${problem.message}: ${problem.hint}`;
    },
  };
  const drafts = openDrafts(context, global.stateDir);
  let draft: Draft = { ...(await takeUpDraft(context, prompts, drafts)), ...given };

  const ask = async (field: Field) => {
    const answer = await questions[field](asking, draft);
    if (answer === undefined) throw interrupted(context);
    draft = { ...draft, [field]: answer };
    drafts.keep(draft);
  };
  for (const field of Object.keys(questions) as Field[]) if (draft[field] === undefined) await ask(field);

  let shown: Draft | undefined;
  for (;;) {
    const definition = await definitionOfFlags({
      ...defaultLoadOptions(),
      override: () => documentOf(draft),
    });
    const asked = { definition, discardDraft: drafts.discard };
    if (client === undefined || global.yes) return asked;
    if (draft !== shown) await showPage(context, definition);
    shown = draft;
    switch (await chooseStep(prompts, definition, client)) {
      case "declare":
        return asked;
      case "change": {
        const field = await prompts.choose<Field>({
          message: "What is to be changed?",
          choices: Object.entries(fieldLabels).map(([value, label]) => ({ value: value as Field, label })),
        });
        // Without an answer, nothing changes.
        if (field !== undefined) await ask(field);
        break;
      }
      case "save":
        await saveDefinition(context, prompts, catalog, documentOf(draft));
        break;
      case "stop":
        throw new Failure("interrupted", "declined", { hint: `nothing was sent; ${draftKept}` });
      case undefined:
        throw interrupted(context);
    }
  }
}

const draftKept = "your answers are kept: incident create offers them again";

function interrupted({ signal }: RunContext): Failure {
  return cancellation(signal, `nothing was sent; ${draftKept}`);
}

async function takeUpDraft(context: RunContext, prompts: PromptSession, drafts: Drafts): Promise<Draft> {
  const kept = drafts.find();
  if (kept === undefined) return {};
  const ago = formatAgo(Date.parse(kept.at), context.clock.now());
  const answer = await prompts.choose<"go-on" | "anew">({
    message: `You did not finish "${kept.draft.name ?? "an incident"}" (${ago}).`,
    choices: [
      { value: "go-on", label: "Go on with it" },
      { value: "anew", label: "Begin anew, and forget it" },
    ],
  });
  if (answer === undefined) throw interrupted(context);
  if (answer === "go-on") return kept.draft;
  drafts.discard();
  return {};
}

async function showPage(context: RunContext, { definition }: LocatedDefinition): Promise<void> {
  const { renderIncident } = await import("../../view/incident.ts");
  const status = definition.incidentUpdates.at(-1)?.status;
  const facts = incidentFacts({ ...createBody(definition, undefined), id: "", lastUpdateStatus: status });
  // Nobody has been notified yet, and customers do not see whether anybody was.
  const updates = facts.updates.map((update) => ({ ...update, notified: undefined }));
  await context.show((style) => {
    const page = renderIncident(style, { ...facts, updates });
    return `\n${style.color.dim("What customers will see:")}\n\n${page}\n`;
  });
}

function chooseStep(prompts: PromptSession, { definition }: LocatedDefinition, client: Client) {
  const { host } = new URL(client.settings.baseUrl.value);
  return prompts.choose<"declare" | "change" | "save" | "stop">({
    message: `Declare it at ${host}?`,
    // One Enter too many must not notify anybody.
    initial: notifies(definition) ? "change" : "declare",
    choices: [
      {
        value: "declare",
        label: notifies(definition)
          ? `Declare it, and notify the subscribers of ${servicesOf([definition])}`
          : "Declare it, and notify nobody",
      },
      { value: "change", label: "Change something" },
      { value: "save", label: "Write it to a file first" },
      { value: "stop", label: "Stop here" },
    ],
  });
}

/** Names come from a catalog that everyone in a repository can change: they must not draw on the terminal. */
function escaped({ choose, chooseSeveral, text }: PromptSession): PromptSession {
  const withPlainText = <Q extends { readonly message: string }>(question: Q): Q => ({
    ...question,
    message: escapeLine(question.message),
  });
  const withPlainChoices = <
    Q extends { readonly message: string; readonly choices: readonly Choice<string>[] },
  >(
    question: Q,
  ): Q => ({
    ...withPlainText(question),
    choices: question.choices.map((choice) => ({ ...choice, label: escapeLine(choice.label) })),
  });
  return {
    text: (question) => text(withPlainText(question)),
    choose: (question) => choose(withPlainChoices(question)),
    chooseSeveral: (question) => chooseSeveral(withPlainChoices(question)),
  };
}

/** The fields of a definition that flags have made. */
function draftOf(document: unknown): Draft {
  const { name, severity, services, incidentUpdates = [] } = (document ?? {}) as Partial<DraftDocument>;
  const [{ status, description, notifySubscribers } = {}] = incidentUpdates;
  const draft = { name, severity, services, status, message: description, notify: notifySubscribers };
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

function documentOf({ name, severity, services, status, message, notify }: Draft): DraftDocument {
  return {
    name,
    severity,
    services,
    incidentUpdates: [{ status, description: message, notifySubscribers: notify }],
  };
}

/** A definition that may still lack something. */
export interface DraftDocument extends Pick<Draft, "name" | "severity" | "services"> {
  readonly incidentUpdates: readonly {
    readonly status?: Draft["status"];
    readonly description?: string | undefined;
    readonly notifySubscribers?: boolean | undefined;
  }[];
}
