// The questions of create, update and resolve: one for each field of the table that no flag gives.
import { cancellation } from "../../failure.ts";
import { fieldsOfIncident, fieldsOfUpdate, type Service, type TextField } from "../../incident/definition.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import { ownValue } from "../../untrusted-data.ts";
import { openPrompts } from "../shared/questions.ts";
import { createFieldValidator, type Draft } from "./fields.ts";
import { servicesOf } from "./plan.ts";

interface DialogueOptions {
  /** The services to choose from. */
  readonly services?: readonly Service[];
  /** The incident of an update, as it was read. */
  readonly incident?: Incident;
}

type Dialogue = Awaited<ReturnType<typeof openDialogue>>;

export async function openDialogue(
  context: RunContext,
  global: GlobalFlags,
  { services = [], incident }: DialogueOptions = {},
) {
  const validate = await createFieldValidator();
  return {
    prompts: await openPrompts(context, global),
    services,
    incident,
    /** The answer. Throws a `Failure` "interrupted" where the person cancels the question. */
    given: async <T>(question: Promise<T | undefined>): Promise<T> => {
      const answer = await question;
      if (answer === undefined) throw cancellation(context.system.signal, "nothing was sent");
      return answer;
    },
    /** The problem with the text of a field, by its rules, as a phrase. */
    check: (field: TextField, text: string): string | undefined => {
      if (text.trim() === "") return "write something: customers will read it";
      const problem = validate(field, text);
      return problem && `${problem.message}: ${problem.hint}`;
    },
  };
}

interface Question {
  /** Where its answer stands in the draft. */
  readonly part: keyof Draft;
  readonly name: string;
  /** Resolves to undefined when the person cancels it. */
  readonly ask: (dialogue: Dialogue, draft: Draft) => Promise<unknown>;
}

/**
 * Asks for each answer that the draft lacks. `keep` gets the draft after each answer. For an update, `incident` has the name
 * and the services of its incident.
 */
export async function askMissing(
  dialogue: Dialogue,
  draft: Draft,
  asked: readonly Question[],
  keep: (draft: Draft) => void = () => undefined,
): Promise<Draft> {
  let answered = draft;
  for (const { ask, name, part } of asked) {
    if (ownValue(answered[part], name) !== undefined) continue;
    const answer = await dialogue.given(ask(dialogue, answered));
    answered = { ...answered, [part]: { ...answered[part], [name]: answer } };
    keep(answered);
  }
  return answered;
}

function askText({ check, prompts }: Dialogue, field: TextField) {
  return prompts.text({ message: field.question ?? "", check: (text) => check(field, text) });
}

/**
 * Enter alone takes the current value of an incident that exists, and of a new one the least of a required field: a worse
 * one is chosen on purpose.
 */
function chooseValue(
  { incident, prompts }: Dialogue,
  { isRequired, meanings = {}, name, question = "", values = [] }: TextField,
) {
  const { name: title = incident?.id, status } = incident ? incidentFacts(incident) : {};
  const isKnown = incident !== undefined && name === "status";
  const known = isKnown ? values.find((value) => value === status) : undefined;
  const now = status === undefined ? "" : ` It is ${status}.`;
  return prompts.choose<string>({
    message: isKnown ? `What is the status of "${title}" now?${now}` : question,
    initial: known ?? (isRequired ? values.at(-1) : undefined),
    choices: values.map((value) => {
      const explanation = ownValue(meanings, value);
      return { value, label: value, ...(explanation !== undefined && { explanation }) };
    }),
  });
}

async function chooseServices({ prompts, services: known }: Dialogue) {
  const chosen = await prompts.chooseSeveral({
    message: "Which services are affected?",
    choices: known.map((each) => ({ value: each.id, label: labelOf(each, known) })),
  });
  return chosen && known.filter(({ id }) => chosen.includes(id));
}

/** The name; with the first digits of its id where another service has the same name. */
function labelOf({ id, name }: Service, all: readonly Service[]): string {
  const isAmbiguous = all.some((other) => other.name === name && other.id !== id);
  return isAmbiguous ? `${name} (${id.slice(0, 8)}…)` : name;
}

async function chooseNotify({ incident: known, prompts }: Dialogue, { incident }: Draft) {
  const services = (incident.services ?? []) as readonly Service[];
  const name = String(incident.name ?? "the incident");
  const answer = await prompts.choose<"no" | "yes">({
    message: `Notify the subscribers of ${servicesOf([{ name, services: services.map((each) => each.name) }])}?`,
    initial: "no",
    choices: [
      { value: "no", label: "No" },
      { value: "yes", label: `Yes, as soon as it is ${known === undefined ? "declared" : "posted"}` },
    ],
  });
  return answer && answer === "yes";
}

const questionsOf = (fields: readonly TextField[]): readonly Question[] =>
  fields
    .filter(({ question }) => question !== undefined)
    .map((field) => ({
      part: field.isOfUpdate ? "update" : "incident",
      name: field.name,
      ask: (dialogue) =>
        field.values === undefined ? askText(dialogue, field) : chooseValue(dialogue, field),
    }));

/** In the order of the dialogue: the choices of an update come before its text. */
export const questions: readonly Question[] = [
  ...questionsOf(fieldsOfIncident),
  { part: "incident", name: "services", ask: chooseServices },
  ...questionsOf(fieldsOfUpdate.filter(({ values }) => values !== undefined)),
  ...questionsOf(fieldsOfUpdate.filter(({ values }) => values === undefined)),
  { part: "update", name: "notifySubscribers", ask: chooseNotify },
];
