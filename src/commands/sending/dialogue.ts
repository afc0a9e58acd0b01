// The dialogue of create, update and resolve: a question for each field of the table that no flag gives, and the last one,
// whether to send what is shown.
import { cancellation, Failure } from "../../failure.ts";
import { fieldsOfIncident, fieldsOfUpdate, type Service } from "../../incident/definition.ts";
import type { TextField } from "../../incident/field.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { Choice } from "../../platform/context.ts";
import { isGuid } from "../../rules/forms.ts";
import type { CheckOptions } from "../../source/definitions.ts";
import { type Fields, ownValue } from "../../untrusted-data.ts";
import type { AskValue } from "../shared/definitions.ts";
import { openPrompts } from "../shared/questions.ts";
import { createFieldValidator } from "./fields.ts";
import { incidentAfter, notifiedBy, type PlannedIncident, servicesOf } from "./plan.ts";

/** A definition as far as it is answered. For an update, `incident` has the name and the services of its incident. */
export interface Draft {
  readonly incident: Fields;
  readonly update: Fields;
}

interface DialogueOptions {
  readonly checks?: CheckOptions;
  /** The services to choose from; empty where none is known. */
  readonly services?: () => Promise<readonly Service[]>;
  /** The incident of an update, as it was read. */
  readonly incident?: Incident | undefined;
  /** The hint of a run that the person stops. */
  readonly whenStopped?: () => Promise<string>;
}

export type Dialogue = Awaited<ReturnType<typeof openDialogue>>;

export async function openDialogue(
  context: RunContext,
  global: GlobalFlags,
  {
    checks = {},
    services = async () => [],
    incident,
    whenStopped = async () => "nothing was sent",
  }: DialogueOptions = {},
) {
  const validate = await createFieldValidator();
  return {
    context,
    prompts: await openPrompts(context, global),
    services,
    incident,
    whenStopped,
    /** The answer. Throws a `Failure` "interrupted" where the person cancels the question. */
    given: async <T>(question: Promise<T | undefined>): Promise<T> => {
      const answer = await question;
      if (answer === undefined) throw cancellation(context.system.signal, await whenStopped());
      return answer;
    },
    /** The problem with the text of a field, by its rules and the contract, as a phrase. */
    check: (field: TextField, text: string): string | undefined => {
      if (text.trim() === "") return writeSomething;
      const part = { [field.name]: text };
      const written = field.isOfUpdate ? { incidentUpdates: [part] } : part;
      const violation = checks.contract?.(written).find(({ path }) => path.at(-1) === field.name);
      const problem = validate(field, text) ?? violation;
      return problem && `${problem.message}: ${problem.hint}`;
    },
  };
}

export interface Question {
  /** The name of its flag. */
  readonly key: string;
  /** Its words in the list of fields to change. */
  readonly label: string;
  /** Where its answer stands in the draft. */
  readonly part: keyof Draft;
  readonly name: string;
  /** Resolves to undefined when the person cancels it. */
  readonly ask: (dialogue: Dialogue, draft: Draft) => Promise<unknown>;
}

/** Asks for each answer that the draft lacks. `keep` gets the draft after each answer. */
export async function askMissing(
  dialogue: Dialogue,
  draft: Draft,
  asked: readonly Question[],
  keep: (draft: Draft) => Promise<void> = async () => undefined,
): Promise<Draft> {
  let answered = draft;
  for (const question of asked) {
    if (ownValue(answered[question.part], question.name) !== undefined) continue;
    answered = await askOne(dialogue, answered, question);
    await keep(answered);
  }
  return answered;
}

export async function askOne(dialogue: Dialogue, draft: Draft, question: Question): Promise<Draft> {
  const { name, part } = question;
  const answer = await dialogue.given(question.ask(dialogue, draft));
  return { ...draft, [part]: { ...draft[part], [name]: answer } };
}

/** For an empty answer. */
export const writeSomething = "write something: customers will read it";

const isEmpty = (text: string) => (text.trim() === "" ? writeSomething : undefined);

function askText({ check, prompts }: Dialogue, field: TextField, current: string | undefined) {
  // The prompt edits a single line, which would lose the paragraphs of a longer text.
  const initial = current?.includes("\n") ? undefined : current;
  return prompts.text({ message: field.question ?? "", initial, check: (text) => check(field, text) });
}

/**
 * Enter alone takes the current value of an incident that exists, and of a new one the least of a required field: a worse
 * one is chosen on purpose.
 */
function chooseValue(
  { incident, prompts }: Dialogue,
  { isRequired, meanings = {}, name, question = "", rules }: TextField,
  current: string | undefined,
) {
  const values = rules.enum?.map(String) ?? [];
  const { name: title = incident?.id, status } = incident ? incidentFacts(incident) : {};
  const isKnown = incident !== undefined && name === "status";
  const known = isKnown ? values.find((value) => value === status) : undefined;
  const now = status === undefined ? "" : ` It is ${status}.`;
  return prompts.choose<string>({
    message: isKnown ? `What is the status of "${title}" now?${now}` : question,
    initial: current ?? known ?? (isRequired ? values.at(-1) : undefined),
    choices: values.map((value) => {
      const explanation = ownValue(meanings, value);
      return { value, label: value, ...(explanation !== undefined && { explanation }) };
    }),
  });
}

/** Where no service is known, the person enters each name and id. */
async function chooseServices(
  dialogue: Dialogue,
  { incident }: Draft,
): Promise<readonly Service[] | undefined> {
  const known = await dialogue.services();
  if (known.length === 0) return enterServices(dialogue);
  const current = (incident.services ?? []) as readonly Service[];
  const chosen = await dialogue.prompts.chooseSeveral({
    message: "Which services are affected?",
    initial: known.filter(({ id }) => current.some((each) => each.id === id)).map(({ id }) => id),
    choices: known.map((each) => ({ value: each.id, label: labelOf(each, known) })),
  });
  return chosen && known.filter(({ id }) => chosen.includes(id));
}

/** The name; with the first digits of its id where another service has the same name. */
function labelOf({ id, name }: Service, all: readonly Service[]): string {
  const isAmbiguous = all.some((other) => other.name === name && other.id !== id);
  return isAmbiguous ? `${name} (${id.slice(0, 8)}…)` : name;
}

async function enterServices({ given, prompts }: Dialogue): Promise<readonly Service[]> {
  const services: Service[] = [];
  for (;;) {
    const message = "Which service is affected? Its name, as customers know it.";
    const name = await given(prompts.text({ message, check: isEmpty }));
    const id = await given(
      prompts.text({
        message: `The id of ${name}, a GUID: copy it from the service's web application`,
        check: (text) => (isGuid(text.trim()) ? undefined : "an id has 8-4-4-4-12 hexadecimal digits"),
      }),
    );
    services.push({ name, id });
    const more = prompts.choose<"no" | "yes">({
      message: "Is another service affected?",
      choices: noOrYes("Yes"),
    });
    if ((await given(more)) === "no") return services;
  }
}

const noOrYes = (yes: string): readonly Choice<"no" | "yes">[] => [
  { value: "no", label: "No" },
  { value: "yes", label: yes },
];

async function chooseNotify({ incident: known, prompts }: Dialogue, { incident, update }: Draft) {
  const services = (incident.services ?? []) as readonly Service[];
  const name = String(incident.name ?? "the incident");
  const answer = await prompts.choose<"no" | "yes">({
    message: `Notify the subscribers of ${servicesOf([{ name, services: services.map((each) => each.name) }])}?`,
    initial: update.notifySubscribers === true ? "yes" : "no",
    choices: noOrYes(`Yes, as soon as it is ${known === undefined ? "declared" : "posted"}`),
  });
  return answer && answer === "yes";
}

const questionsOf = (fields: readonly TextField[]): readonly Question[] =>
  fields.flatMap((field) => {
    const { isOfUpdate, key, label, name, question, rules } = field;
    if (question === undefined) return [];
    const part = isOfUpdate ? "update" : "incident";
    const ask = rules.enum === undefined ? askText : chooseValue;
    const current = (draft: Draft) => ownValue(draft[part], name) as string | undefined;
    return [{ key, label, part, name, ask: (dialogue, draft) => ask(dialogue, field, current(draft)) }];
  });

/** In the order of the dialogue: the choices of an update come before its text. */
export const questions: readonly Question[] = [
  ...questionsOf(fieldsOfIncident),
  { key: "services", label: "the services", part: "incident", name: "services", ask: chooseServices },
  ...questionsOf(fieldsOfUpdate.filter(({ rules }) => rules.enum !== undefined)),
  ...questionsOf(fieldsOfUpdate.filter(({ rules }) => rules.enum === undefined)),
  {
    key: "notify",
    label: "the notification of subscribers",
    part: "update",
    name: "notifySubscribers",
    ask: chooseNotify,
  },
];

interface Asked {
  readonly planned: PlannedIncident;
  readonly verb: "Declare" | "Post" | "Send";
  /** What is sent, and where: `"Checkout fails" at api.example`. */
  readonly subject: string;
}

/**
 * Shows what customers will see, and asks whether to send it. `more`: further choices. Throws a `Failure` "interrupted"
 * where the person stops.
 */
export async function askToSend<T extends string = never>(
  dialogue: Dialogue,
  { planned, subject, verb }: Asked,
  more: readonly Choice<T>[] = [],
): Promise<"send" | T> {
  const { context, given, incident, prompts, whenStopped } = dialogue;
  const { renderPreview } = await import("../../view/preview.ts");
  await context.show((style) => renderPreview(style, incidentAfter(incident, planned.requests)));
  const loud = notifiedBy([planned]);
  const quietly = verb === "Send" ? "" : " without notifying";
  const question = prompts.choose<"send" | "stop" | T>({
    message: `${verb} ${subject}?`,
    // An accidental Enter must not notify subscribers.
    initial: loud === "" ? "send" : "stop",
    choices: [
      {
        value: "send",
        label: `${verb} it${loud === "" ? quietly : `, and notify the subscribers of ${loud}`}`,
      },
      ...more,
      { value: "stop", label: `Stop: ${verb.toLowerCase()} nothing` },
    ],
  });
  const answer = await given(question);
  if (answer === "stop") throw new Failure("interrupted", "declined", { hint: await whenStopped() });
  return answer as "send" | T;
}

/** Asks for the value of a variable of a template. Opens the terminal at the first question. */
export function createAskValue(context: RunContext, global: GlobalFlags): AskValue {
  let opened: Promise<Dialogue> | undefined;
  return async (name, { values }) => {
    opened ??= openDialogue(context, global);
    const { given, prompts } = await opened;
    const message = `${name}?`;
    if (values === undefined) return given(prompts.text({ message, check: isEmpty }));
    const choices = Object.keys(values).map((value) => ({ value, label: value }));
    return given(prompts.choose({ message, choices }));
  };
}
