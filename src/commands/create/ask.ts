// `incident create` with a person at the terminal: asks for the missing fields, or offers a template, shows the page that
// customers will see, and declares the incident only after a confirmation.
import type { Client } from "../../api/client.ts";
import { Failure } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { type CheckOptions, defaultLoadOptions } from "../../source/definitions.ts";
import { argv } from "../../text/advice.ts";
import type { Fields } from "../../untrusted-data.ts";
import {
  askMissing,
  askOne,
  askToSend,
  createAskValue,
  type Dialogue,
  type Draft,
  openDialogue,
  questions,
} from "../sending/dialogue.ts";
import { createOverride, dateFirst, definitionFromFlags, type IncidentFlags } from "../sending/fields.ts";
import { notifiedBy, type PlannedIncident, planCreates } from "../sending/plan.ts";
import { describeTarget } from "../sending/send.ts";
import { invalidFailure, listTemplates, prepareChecks } from "../shared/checks.ts";
import { readDefinitions } from "../shared/definitions.ts";
import { checkedCatalog, offerServices } from "../shared/services.ts";
import type { CreateInput } from "./check-input.ts";
import { type DraftFile, documentOf, draftOf, openDraftFile } from "./draft.ts";

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
  const file = openDraftFile(context);
  const whenStopped = async () =>
    (await file.load()) === undefined
      ? "nothing was sent"
      : `nothing was sent; your answers are kept in ${file.path}, and incident create offers them again`;
  try {
    const dialogue = await openDialogue(context, global, { checks, services: offered.read, whenStopped });
    const started = (await resumeDraft(dialogue, file)) ?? (await chooseTemplate(dialogue, global));
    const draft = {
      incident: { ...started.incident, ...given.incident },
      update: { ...started.update, ...given.update },
    };
    const answered = await askMissing(dialogue, draft, questions, file.save);
    const define = createDefine(context, checks, fields);
    const isAnswered = client === undefined || global.yes;
    const definition = isAnswered
      ? await define(answered)
      : await confirmDraft(dialogue, file, client, answered, define);
    return { definitions: [definition], discardDraft: file.discard, notApplicable: undefined };
  } finally {
    offered.stop();
  }
}

const noAnswers: Draft = { incident: {}, update: {} };

/** Makes the definition of a draft, which may be changed after it: each warning is told once. */
function createDefine({ warn }: RunContext, checks: CheckOptions, { startedAt }: IncidentFlags) {
  const warned = new Set<string>();
  const warnOnce = (text: string) => {
    if (!warned.has(text)) warn(text);
    warned.add(text);
  };
  return (draft: Draft) => {
    const override = () => dateFirst(documentOf(draft), startedAt);
    return definitionFromFlags({ ...defaultLoadOptions(), ...checks, override }, warnOnce);
  };
}

/** Shows the incident until the person declares it or stops. */
async function confirmDraft(
  dialogue: Dialogue,
  file: DraftFile,
  { settings }: Client,
  answered: Draft,
  define: ReturnType<typeof createDefine>,
) {
  const { given, prompts } = dialogue;
  let draft = answered;
  for (;;) {
    const definition = await define(draft);
    const [planned] = planCreates(settings, [definition]) as [PlannedIncident];
    const subject = `"${planned.name}" ${describeTarget(settings)}`;
    const silent = { value: "silent", label: "Declare it without notifying" } as const;
    const answer = await askToSend<"silent" | "change">(dialogue, { planned, subject, verb: "Declare" }, [
      ...(notifiedBy([planned]) === "" ? [] : [silent]),
      { value: "change", label: "Change something" },
    ]);
    if (answer === "send") return definition;
    if (answer === "silent")
      return define({ ...draft, update: { ...draft.update, notifySubscribers: false } });
    const choices = questions.map(({ key, label }) => ({ value: key, label: sentence(label) }));
    const chosen = await given(prompts.choose({ message: "What do you want to change?", choices }));
    for (const question of questions.filter(({ key }) => key === chosen))
      draft = await askOne(dialogue, draft, question);
    await file.save(draft);
  }
}

function sentence(label: string): string {
  return `${label[0]?.toUpperCase()}${label.slice(1)}`;
}

async function resumeDraft({ given, prompts }: Dialogue, file: DraftFile): Promise<Draft | undefined> {
  const saved = await file.load();
  if (saved === undefined) return undefined;
  const { name } = saved.incident;
  const question = prompts.choose<"resume" | "restart">({
    message: `You did not finish ${name === undefined ? "an incident" : `"${name}"`}.`,
    choices: [
      { value: "resume", label: "Continue it" },
      { value: "restart", label: "Start a new one and delete it" },
    ],
  });
  if ((await given(question)) === "resume") return saved;
  file.discard();
  return undefined;
}

/** No answers where the project has no template, or the person wants none. A person's choice needs no `when`. */
async function chooseTemplate({ context, given, prompts }: Dialogue, global: GlobalFlags): Promise<Draft> {
  const names = [...(await listTemplates(context)).keys()];
  if (names.length === 0) return noAnswers;
  const choices = names.map((value) => ({ value, label: value }));
  const none = { value: "", label: "No template: answer every question" };
  const message = "Start from a template?";
  const template = await given(prompts.choose<string>({ message, choices: [...choices, none] }));
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
