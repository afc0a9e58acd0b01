// `incident create` with a person at the terminal: asks for the missing fields, or offers a template, shows the page that
// customers will see, and declares the incident only after a confirmation.

import type { Client } from "../../api/client.ts";
import { buildRequest } from "../../api/request.ts";
import { cancellation, Failure } from "../../failure.ts";
import { createBody } from "../../incident/create-body.ts";
import type { Service } from "../../incident/definition.ts";
import { type TextField, textFields } from "../../incident/fields.ts";
import { listSentServices } from "../../journal/sent-creates.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Context, PromptSession, System } from "../../platform/context.ts";
import type { CheckOptions } from "../../source/checks.ts";
import { defaultLoadOptions } from "../../source/definitions.ts";
import { argv } from "../../text/advice.ts";
import { ownValue } from "../../untrusted-data.ts";
import { formatAgo } from "../../view/terminal/time.ts";
import { invalidFailure, prepareChecks } from "../shared/checks.ts";
import { describeTarget } from "../shared/consent.ts";
import { definitionFromFlags, readDefinitions } from "../shared/definitions.ts";
import {
  checkedCatalog,
  createFieldValidator,
  createOverride,
  dateFirst,
  type IncidentFlags,
} from "../shared/fields.ts";
import { listInBackground } from "../shared/listed-services.ts";
import { incidentAfter, notifiedBy, type PlannedIncident } from "../shared/preview.ts";
import { openPrompts } from "../shared/questions.ts";
import { type AskValue, listTemplates } from "../shared/templates.ts";
import type { CreateInput } from "./check-input.ts";
import {
  type Draft,
  type Drafts,
  documentFromDraft,
  draftFromDocument,
  fitsDraft,
  openDrafts,
  saveDefinition,
} from "./drafts.ts";
import { type QuestionOptions, questions } from "./questions.ts";

interface InteractiveOptions {
  /** Without it the create is a dry run, which needs no confirmation. */
  readonly client: Client | undefined;
  readonly checks: CheckOptions;
}

export async function askForDefinition(
  context: RunContext,
  { flags, global }: CreateInput,
  fields: IncidentFlags,
  client: Client | undefined,
) {
  const { checks, diagnostics } = await prepareChecks(context, flags);
  const problems = diagnostics();
  if (problems.length > 0) throw invalidFailure(problems, "correct the policy");
  const needsList = client !== undefined && fields.service === undefined;
  const listed = needsList ? listInBackground(context, client) : undefined;
  const services = async () => (await listed?.read()) ?? [];
  try {
    const asked = await askAll(context, global, fields, { client, checks }, services);
    return { definitions: [asked.definition], discardDraft: asked.discardDraft, notApplicable: undefined };
  } finally {
    listed?.stop();
  }
}

async function askAll(
  context: RunContext,
  global: GlobalFlags,
  fields: IncidentFlags,
  { client, checks }: InteractiveOptions,
  listedServices: QuestionOptions["listedServices"],
) {
  const catalog = checkedCatalog((await context.workspace.catalog()).read());
  const override = await createOverride(context, fields, () => catalog);
  const givenFields = draftFromDocument(override?.({}));
  const prompts = await openPrompts(context, global);
  const validateField = await createFieldValidator();
  const questionOptions: Omit<QuestionOptions, "keep"> = {
    context,
    prompts,
    catalog,
    sentServices: client === undefined ? [] : await listSent(context, client),
    listedServices,
    validate: (field, text) => {
      if (text.trim() === "") return "write something: customers will read it";
      const known = textFields.find(({ key }) => key === field) as TextField;
      const part = { [known.name]: text };
      const written = known.isOfUpdate ? { incidentUpdates: [part] } : part;
      const problem =
        validateField(known, text) ??
        checks.contract?.(written).find(({ path }) => path.at(-1) === known.name);
      return problem && `${problem.message}: ${problem.hint}`;
    },
  };
  const drafts = openDrafts(context);
  const resumed = await resumeDraft(context, prompts, drafts);
  const started = resumed ?? (await chooseTemplate(context, global, prompts));
  let draft: Draft = { ...started, ...givenFields };

  const ask = async ({ ask: question, key }: (typeof questions)[number]) => {
    const keep: QuestionOptions["keep"] = (name, text) =>
      drafts.save({ ...draft, typed: { ...draft.typed, [name]: text } });
    const answer = await question({ ...questionOptions, keep }, draft);
    if (answer === undefined) throw interrupted(context.system, drafts);
    draft = { ...draft, [key]: answer };
    drafts.save(draft);
  };
  for (const field of questions) if (ownValue(draft, field.key) === undefined) await ask(field);

  const warned = new Set<string>();
  const warnOnce = (text: string) => {
    if (!warned.has(text)) context.warn(text);
    warned.add(text);
  };
  const define = () => {
    const override = () => dateFirst({ ...documentFromDraft(draft) }, fields.startedAt);
    return definitionFromFlags({ ...defaultLoadOptions(), ...checks, override }, warnOnce);
  };
  let shown: Draft | undefined;
  for (;;) {
    const definition = await define();
    /** Call `discardDraft` once the incident is declared. */
    const result = { definition, discardDraft: drafts.discard };
    if (client === undefined || global.yes) return result;
    const { renderPreview } = await import("../../view/incident.ts");
    const body = createBody(definition.definition, undefined, client.settings.account.value);
    const request = buildRequest(client.settings, { method: "POST", body });
    if (draft !== shown)
      await context.show((style) => renderPreview(style, incidentAfter(undefined, [request])));
    shown = draft;
    const planned = { name: body.name, services: body.services.map(({ name }) => name), requests: [request] };
    switch (await chooseNextStep(prompts, planned, client)) {
      case "declare":
        return result;
      case "change": {
        const chosen = await prompts.choose({
          message: "What do you want to change?",
          choices: questions.map(({ key, label }) => ({ value: key, label: sentence(label) })),
        });
        const field = questions.find(({ key }) => key === chosen);
        if (field !== undefined) await ask(field);
        break;
      }
      case "silent":
        draft = { ...draft, notify: false };
        return { ...result, definition: await define() };
      case "save": {
        // With the id, a later create of the file declares the same incident.
        const named = { ...draft, id: draft.id ?? context.system.random.guid() };
        if (await saveDefinition(context, prompts, catalog, documentFromDraft(named))) {
          draft = named;
          drafts.save(draft);
        }
        break;
      }
      case "stop":
        throw new Failure("interrupted", "declined", { hint: `nothing was sent; ${draftSaved}` });
      case undefined:
        throw interrupted(context.system, drafts);
    }
  }
}

function sentence(label: string): string {
  return `${label[0]?.toUpperCase()}${label.slice(1)}`;
}

const draftSaved = "your answers are kept: incident create offers them again";

/** The services that were sent to this service and account from this machine, the newest first. */
function listSent(
  context: RunContext,
  { settings: { account, baseUrl } }: Client,
): Promise<readonly Service[]> {
  const service = { account: account.value?.toLowerCase(), baseUrl: baseUrl.value };
  return listSentServices(context, context.workspace.stateDirectory.value, service);
}

function interrupted({ signal }: Pick<System, "signal">, drafts: Drafts): Failure {
  return cancellation(signal, drafts.load() ? `nothing was sent; ${draftSaved}` : "nothing was sent");
}

async function resumeDraft(
  { system }: RunContext,
  prompts: PromptSession,
  drafts: Drafts,
): Promise<Draft | undefined> {
  const saved = drafts.load();
  if (saved === undefined) return undefined;
  const ago = formatAgo(Date.parse(saved.at), system.clock.now());
  const name = saved.draft.name ?? saved.draft.typed?.name;
  const answer = await prompts.choose<"resume" | "restart">({
    message: `You did not finish ${name === undefined ? "an incident" : `"${name}"`} (${ago}).`,
    choices: [
      { value: "resume", label: "Continue it" },
      { value: "restart", label: "Start a new one and delete it", isDestructive: true },
    ],
  });
  if (answer === undefined) throw interrupted(system, drafts);
  if (answer === "resume") return saved.draft;
  drafts.discard();
  return undefined;
}

function chooseNextStep(prompts: PromptSession, planned: PlannedIncident, client: Client) {
  const loud = notifiedBy([planned]);
  return prompts.choose<"declare" | "silent" | "change" | "save" | "stop">({
    message: `Declare "${planned.name}" ${describeTarget(client.settings)}?`,
    // Enter alone must neither notify subscribers nor lead back to the questions.
    ...(loud === "" ? { initial: "declare" } : { isDeliberate: true }),
    choices: [
      ...(loud === ""
        ? []
        : [{ value: "declare", label: `Declare it, and notify the subscribers of ${loud}` } as const]),
      { value: loud === "" ? "declare" : "silent", label: "Declare it without notifying" },
      { value: "change", label: "Change something" },
      { value: "save", label: "Write it to a file first" },
      { value: "stop", label: "Stop: declare nothing" },
    ],
  });
}

/** An empty draft where the project has no template, or the person wants none. A person's choice needs no `when`. */
async function chooseTemplate(
  context: RunContext,
  global: GlobalFlags,
  prompts: PromptSession,
): Promise<Draft> {
  const names = [...(await listTemplates(context)).keys()];
  if (names.length === 0) return {};
  const choices = names.map((value) => ({ value, label: value }));
  const template = await prompts.choose({
    message: "Start from a template?",
    choices: [...choices, { value: "", label: "No template: answer every question" }],
  });
  if (template === undefined) throw cancellation(context.system.signal, "nothing was sent");
  if (template === "") return {};
  const ask = createAskValue(context, global);
  const { definitions } = await readDefinitions(context, [], { recurse: false, template, ask });
  const [filled] = definitions;
  if (filled !== undefined && fitsDraft(filled.definition)) return draftFromDocument(filled.definition);
  throw new Failure("usage", `the template ${template} has more than the questions ask for`, {
    hint: "nothing was sent",
    commands: [{ command: argv`incident create --template ${template}`, purpose: "declare it as it is" }],
  });
}

/** Opens the terminal at the first question. */
export function createAskValue(context: Context, global: GlobalFlags): AskValue {
  let prompts: PromptSession | undefined;
  return async (name, { values }) => {
    prompts ??= await openPrompts(context, global);
    const message = `${name}?`;
    const check = (text: string) => (text.trim() === "" ? "write something" : undefined);
    if (values === undefined) return prompts.text({ message, check });
    return prompts.choose({
      message,
      choices: Object.keys(values).map((value) => ({ value, label: value })),
    });
  };
}
