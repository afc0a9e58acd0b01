// `incident create` with a person at the terminal: asks for the missing fields, or offers a template, shows the page that
// customers will see, and declares the incident only after a confirmation.
import type { Client } from "../../api/client.ts";
import { cancellation, Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Context, PromptSession } from "../../platform/context.ts";
import { type CheckOptions, defaultLoadOptions } from "../../source/definitions.ts";
import { argv } from "../../text/advice.ts";
import type { Fields } from "../../untrusted-data.ts";
import { askToSend, createTextCheck, writeSomething } from "../sending/ask.ts";
import { describeTarget } from "../sending/consent.ts";
import { notifiedBy, type PlannedIncident, planCreates } from "../sending/plan.ts";
import { invalidFailure, prepareChecks } from "../shared/checks.ts";
import { definitionFromFlags, readDefinitions } from "../shared/definitions.ts";
import { checkedCatalog, createOverride, dateFirst, type IncidentFlags } from "../shared/fields.ts";
import { offerServices } from "../shared/listed-services.ts";
import { openPrompts } from "../shared/questions.ts";
import { type AskValue, listTemplates } from "../shared/templates.ts";
import type { CreateInput } from "./check-input.ts";
import { type DraftFile, documentOf, draftOf, openDraftFile } from "./draft.ts";
import { type Asking, answerTo, type Draft, questions, withAnswer } from "./questions.ts";

/** Without a client the create is a dry run, which needs no confirmation. */
export async function askForDefinition(
  context: RunContext,
  { flags, global }: CreateInput,
  fields: IncidentFlags,
  client: Client | undefined,
) {
  const { checks, diagnostics } = await prepareChecks(context, flags);
  const problems = diagnostics();
  if (problems.length > 0) throw invalidFailure(problems, "correct the policy");
  const catalog = checkedCatalog((await context.workspace.catalog()).read());
  const override = await createOverride(context, fields, () => catalog);
  const given = draftOf((override?.({}) ?? {}) as Fields) ?? noAnswers;
  const offered = offerServices(context, fields.service === undefined ? client : undefined, catalog);
  try {
    const prompts = await openPrompts(context, global);
    const asking = { context, prompts, services: offered.read, check: await createTextCheck(checks) };
    const file = openDraftFile(context);
    const started = (await resumeDraft(asking, file)) ?? (await chooseTemplate(asking, global));
    const draft = {
      incident: { ...started.incident, ...given.incident },
      update: { ...started.update, ...given.update },
    };
    const definition = await answerAll(asking, file, draft, { checks, client, fields, global });
    return { definitions: [definition], discardDraft: file.discard, notApplicable: undefined };
  } finally {
    offered.stop();
  }
}

const noAnswers: Draft = { incident: {}, update: {} };

interface AnswerOptions {
  readonly checks: CheckOptions;
  readonly client: Client | undefined;
  readonly fields: IncidentFlags;
  readonly global: GlobalFlags;
}

/** Asks for the missing answers, and then until the person declares the incident or stops. */
async function answerAll(
  asking: Asking,
  file: DraftFile,
  started: Draft,
  { checks, client, fields, global }: AnswerOptions,
) {
  const { context, prompts } = asking;
  let draft = started;
  const ask = async (question: (typeof questions)[number]) => {
    const answer = await question.ask(asking, draft);
    if (answer === undefined) throw await interrupted(context, file);
    draft = withAnswer(question, draft, answer);
    await file.save(draft);
  };
  for (const question of questions) if (answerTo(question, draft) === undefined) await ask(question);
  const warned = new Set<string>();
  const warnOnce = (text: string) => {
    if (!warned.has(text)) context.warn(text);
    warned.add(text);
  };
  const define = () => {
    const override = () => dateFirst(documentOf(draft), fields.startedAt);
    return definitionFromFlags({ ...defaultLoadOptions(), ...checks, override }, warnOnce);
  };
  for (;;) {
    const definition = await define();
    if (client === undefined || global.yes) return definition;
    const [planned] = planCreates(client.settings, [definition]);
    switch (planned && (await chooseNext(asking, client, planned))) {
      case "send":
        return definition;
      case "silent":
        draft = { ...draft, update: { ...draft.update, notifySubscribers: false } };
        return define();
      case "change": {
        const chosen = await prompts.choose({
          message: "What do you want to change?",
          choices: questions.map(({ key, label }) => ({ value: key, label: sentence(label) })),
        });
        const question = questions.find(({ key }) => key === chosen);
        if (question !== undefined) await ask(question);
        break;
      }
      case "stop":
        throw new Failure("interrupted", "declined", { hint: keptIn(file) });
      default:
        throw await interrupted(context, file);
    }
  }
}

/** With a choice to declare it silently where it notifies. */
function chooseNext({ context, prompts }: Asking, { settings }: Client, planned: PlannedIncident) {
  const subject = `"${planned.name}" ${describeTarget(settings)}`;
  const isLoud = notifiedBy([planned]) !== "";
  return askToSend<"silent" | "change">(context, prompts, { planned, subject, verb: "Declare" }, [
    ...(isLoud ? [{ value: "silent", label: "Declare it without notifying" } as const] : []),
    { value: "change", label: "Change something" },
  ]);
}

function sentence(label: string): string {
  return `${label[0]?.toUpperCase()}${label.slice(1)}`;
}

function keptIn({ path }: DraftFile): string {
  return `nothing was sent; your answers are kept in ${path}, and incident create offers them again`;
}

async function interrupted({ system }: RunContext, file: DraftFile): Promise<Failure> {
  return cancellation(system.signal, (await file.load()) ? keptIn(file) : "nothing was sent");
}

async function resumeDraft({ context, prompts }: Asking, file: DraftFile): Promise<Draft | undefined> {
  const saved = await file.load();
  if (saved === undefined) return undefined;
  const { name } = saved.incident;
  const answer = await prompts.choose<"resume" | "restart">({
    message: `You did not finish ${name === undefined ? "an incident" : `"${name}"`}.`,
    choices: [
      { value: "resume", label: "Continue it" },
      { value: "restart", label: "Start a new one and delete it" },
    ],
  });
  if (answer === undefined) throw await interrupted(context, file);
  if (answer === "resume") return saved;
  file.discard();
  return undefined;
}

/** No answers where the project has no template, or the person wants none. A person's choice needs no `when`. */
async function chooseTemplate({ context, prompts }: Asking, global: GlobalFlags): Promise<Draft> {
  const names = [...(await listTemplates(context)).keys()];
  if (names.length === 0) return noAnswers;
  const choices = names.map((value) => ({ value, label: value }));
  const template = await prompts.choose({
    message: "Start from a template?",
    choices: [...choices, { value: "", label: "No template: answer every question" }],
  });
  if (template === undefined) throw cancellation(context.system.signal, "nothing was sent");
  if (template === "") return noAnswers;
  const ask = createAskValue(context, global);
  const { definitions } = await readDefinitions(context, [], { recurse: false, template, ask });
  const draft = definitions[0] && draftOf({ ...definitions[0].definition });
  if (draft !== undefined) return draft;
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
    const check = (text: string) => (text.trim() === "" ? writeSomething : undefined);
    if (values === undefined) return prompts.text({ message, check });
    const choices = Object.keys(values).map((value) => ({ value, label: value }));
    return prompts.choose({ message, choices });
  };
}
