// The questions of an interactive create, one for each field of a definition.
import { fieldsOfIncident, fieldsOfUpdate, type Service } from "../../incident/definition.ts";
import type { TextField } from "../../incident/field.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { PromptSession } from "../../platform/context.ts";
import { isGuid } from "../../rules/forms.ts";
import { type Fields, ownValue } from "../../untrusted-data.ts";
import { askMessage, chooseNotify, writeSomething } from "../sending/ask.ts";
import { servicesOf } from "../sending/plan.ts";

/** A definition as far as it is answered. A choice that leaves a field out is an empty text. */
export interface Draft {
  readonly incident: Fields;
  readonly update: Fields;
}

export interface Asking {
  readonly context: RunContext;
  readonly prompts: PromptSession;
  /** The services to choose from; empty where none is known. */
  readonly services: () => Promise<readonly Service[]>;
  /** The problem with the text of a field, as a phrase; undefined for a valid text. */
  readonly check: (field: TextField, text: string) => string | undefined;
}

interface Question {
  /** Of its flag. */
  readonly key: string;
  /** Its words in the list of fields to change. */
  readonly label: string;
  /** Where its answer stands in the draft. */
  readonly part: keyof Draft;
  readonly name: string;
  /** Resolves to undefined when the person cancels it. */
  readonly ask: (asking: Asking, draft: Draft) => Promise<unknown>;
}

export function answerTo({ name, part }: Question, draft: Draft): unknown {
  return ownValue(draft[part], name);
}

export function withAnswer({ name, part }: Question, draft: Draft, answer: unknown): Draft {
  return { ...draft, [part]: { ...draft[part], [name]: answer } };
}

type AskField = (
  asking: Asking,
  field: TextField,
  current: string | undefined,
) => Promise<string | undefined>;

const askName: AskField = ({ check, prompts }, field, current) =>
  prompts.text({
    message: field.question ?? "",
    initial: current,
    check: (text) => (text.trim() === "" ? writeSomething : check(field, text)),
  });

const askText: AskField = ({ check, prompts }, field, current) =>
  askMessage(prompts, field.question ?? "", (text) => check(field, text), current);

/** Enter alone takes the least of a required field: a worse one is chosen on purpose. */
const chooseValue: AskField = ({ prompts }, { isRequired, meanings, question = "", rules }, current) => {
  const values = rules.enum?.map(String) ?? [];
  return prompts.choose<string>({
    message: question,
    initial: current ?? (isRequired ? values.at(-1) : undefined),
    choices: [
      ...values.map((value) => {
        const explanation = ownValue(meanings ?? {}, value);
        return { value, label: value, ...(explanation !== undefined && { explanation }) };
      }),
    ],
  });
};

/** Where no service is known, the person enters each name and id. */
async function chooseServices(asking: Asking, { incident }: Draft): Promise<readonly Service[] | undefined> {
  const known = await asking.services();
  if (known.length === 0) return enterServices(asking);
  const current = (incident.services ?? []) as readonly Service[];
  const chosen = await asking.prompts.chooseSeveral({
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

async function enterServices({ prompts }: Asking): Promise<readonly Service[] | undefined> {
  const services: Service[] = [];
  for (;;) {
    const name = await prompts.text({
      message: "Which service is affected? Its name, as customers know it.",
      check: (text) => (text.trim() === "" ? writeSomething : undefined),
    });
    if (name === undefined) return undefined;
    const id = await prompts.text({
      message: `The id of ${name}, a GUID: copy it from the service's web application`,
      check: (text) => (isGuid(text.trim()) ? undefined : "an id has 8-4-4-4-12 hexadecimal digits"),
    });
    if (id === undefined) return undefined;
    services.push({ name, id });
    const next = await prompts.choose<"done" | "more">({
      message: "Is another service affected?",
      choices: [
        { value: "done", label: "No" },
        { value: "more", label: "Yes" },
      ],
    });
    if (next !== "more") return next && services;
  }
}

const questionsOf = (fields: readonly TextField[]): readonly Question[] =>
  fields.flatMap((field) => {
    const { isOfUpdate, key, label, name, question, rules } = field;
    if (question === undefined) return [];
    const part = isOfUpdate ? "update" : "incident";
    const ask = rules.enum !== undefined ? chooseValue : name === "name" ? askName : askText;
    const current = (draft: Draft) => ownValue(draft[part], name) as string | undefined;
    return [{ key, label, part, name, ask: (asking, draft) => ask(asking, field, current(draft)) }];
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
    ask: ({ prompts }, { incident, update }) => {
      const services = (incident.services ?? []) as readonly Service[];
      const name = String(incident.name ?? "the incident");
      const names = servicesOf([{ name, services: services.map((each) => each.name) }]);
      return chooseNotify(prompts, names, "declared", update.notifySubscribers === true);
    },
  },
];
