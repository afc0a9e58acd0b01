// The questions of an interactive create, one for each field of a draft. A long text is written in the editor.
import type { Service } from "../../incident/definition.ts";
import { fieldsOfIncident, fieldsOfUpdate, type TextField, textFields } from "../../incident/fields.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { PromptSession } from "../../platform/context.ts";
import { isGuid } from "../../rules/forms.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { ownValue } from "../../untrusted-data.ts";
import { servicesOf } from "../shared/preview.ts";
import type { Draft } from "./drafts.ts";
import { editorOf, editText } from "./edit-text.ts";

export interface QuestionOptions {
  readonly context: RunContext;
  readonly prompts: PromptSession;
  readonly catalog: Catalog;
  /** The services of earlier creates, the newest first. Offered where there is no catalog. */
  readonly sentServices: readonly Service[];
  /** The services that the service lists, as far as they are known. */
  readonly listedServices: () => Promise<readonly Service[]>;
  /** The problem with a field's text, as a phrase; undefined for a valid text. */
  readonly validate: (field: "name" | "message", text: string) => string | undefined;
  /** Keeps the text that was typed when the person cancels. */
  readonly keep: (field: "name" | "message", text: string) => void;
}

/** Resolves to undefined when the person cancels it. */
type Question = (options: QuestionOptions, draft: Draft) => Promise<unknown>;

interface AskedField {
  /** The name of the answer in a draft. */
  readonly key: string;
  /** Its words in the list of fields to change. */
  readonly label: string;
  readonly ask: Question;
}

const questionsOf = (fields: readonly TextField[]): readonly AskedField[] =>
  fields.flatMap((field) => {
    const { key, label, name, question, rules } = field;
    if (question === undefined) return [];
    const ask = rules.enum !== undefined ? chooseValue(field) : name === "name" ? askName : askMessage;
    return [{ key, label, ask }];
  });

/** In the order of the dialogue: the choices of an update come before its text. */
export const questions: readonly AskedField[] = [
  ...questionsOf(fieldsOfIncident),
  { key: "services", label: "the services", ask: chooseServices },
  ...questionsOf(fieldsOfUpdate.filter(({ rules }) => rules.enum !== undefined)),
  ...questionsOf(fieldsOfUpdate.filter(({ rules }) => rules.enum === undefined)),
  { key: "notify", label: "the notification of subscribers", ask: chooseNotify },
];

function askName({ keep, prompts, validate }: QuestionOptions, { name, typed }: Draft) {
  return prompts.text({
    message: questionOf("name"),
    initial: name ?? typed?.name,
    keep: (text) => keep("name", text),
    check: (text) => validate("name", text),
  });
}

function questionOf(key: string): string {
  return textFields.find((field) => field.key === key)?.question ?? "";
}

function chooseValue({ isRequired, key, meanings, question = "", rules, skip }: TextField): Question {
  const values = rules.enum?.map(String) ?? [];
  return ({ prompts }, draft) =>
    prompts.choose<string>({
      message: question,
      initial: ownValue(draft, key) as string | undefined,
      isDeliberate: isRequired,
      choices: [
        ...(skip === undefined ? [] : [{ value: "", label: skip }]),
        ...values.map((value) => {
          const explanation = ownValue(meanings ?? {}, value);
          return { value, label: value, ...(explanation !== undefined && { explanation }) };
        }),
      ],
    });
}

async function chooseNotify({ prompts }: QuestionOptions, { notify = false, services = [] }: Draft) {
  const answer = await prompts.choose<"no" | "yes">({
    message: `Notify the subscribers of ${servicesOf([{ name: "", services: services.map(({ name }) => name) }])}?`,
    initial: notify ? "yes" : "no",
    choices: [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes, as soon as it is declared" },
    ],
  });
  return answer && answer === "yes";
}

/** The choice of a service that was not declared from here before. */
const anotherService = "another";

/** Those of the catalog, or else those of earlier creates with the names of today; then the others of the service. */
function servicesToOffer(
  catalog: readonly Service[],
  sent: readonly Service[],
  listed: readonly Service[],
): readonly Service[] {
  const keyed = (services: readonly Service[]) =>
    services.map((each) => [each.id.toLowerCase(), each] as const);
  const byId = new Map(keyed(listed));
  const first = catalog.length > 0 ? catalog : keyed(sent).map(([id, each]) => byId.get(id) ?? each);
  for (const [id] of keyed(first)) byId.delete(id);
  return [...first, ...byId.values()];
}

/** Offers the services of the catalog, or else those of earlier creates, and those that the service lists. */
async function chooseServices(
  options: QuestionOptions,
  { services: current = [] }: Draft,
): Promise<readonly Service[] | undefined> {
  const { catalog, listedServices, prompts, sentServices } = options;
  const hasCatalog = catalog.services.size > 0;
  const known = servicesToOffer([...catalog.services.values()], sentServices, await listedServices());
  if (known.length === 0) return enterServices(options);
  const choices = known.map((each, index) => ({
    ...each,
    value: String(index),
    label: labelOf(each, known),
  }));
  const answer = await prompts.chooseSeveral({
    message: "Which services are affected?",
    initial: choices.filter(({ id }) => current.some((each) => each.id === id)).map(({ value }) => value),
    choices: hasCatalog ? choices : [...choices, { value: anotherService, label: "Another service" }],
    ...(!hasCatalog && { other: anotherService }),
  });
  if (answer === undefined) return undefined;
  const chosen = known.filter((_, index) => answer.values.includes(String(index)));
  if (!answer.values.includes(anotherService)) return chosen;
  const entered = await enterServices(options, answer.typed);
  return entered && [...chosen, ...entered];
}

/** The name; with the first digits of its id where another service has the same name. */
function labelOf({ id, name }: Service, all: readonly Service[]): string {
  const isAmbiguous = all.some((other) => other.name === name && other.id !== id);
  return isAmbiguous ? `${name} (${id.slice(0, 8)}…)` : name;
}

/** Where no service is known, the person enters each name and id. */
async function enterServices(
  { prompts, validate }: QuestionOptions,
  typed = "",
): Promise<readonly Service[] | undefined> {
  const services: Service[] = [];
  for (;;) {
    const name = await prompts.text({
      message: "Which service is affected? Its name, as customers know it.",
      ...(services.length === 0 && { initial: typed }),
      check: (text) => validate("message", text),
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
    if (next === undefined) return undefined;
    if (next === "done") return services;
  }
}

async function askMessage(
  { context, keep, prompts, validate }: QuestionOptions,
  { message: answered, name = "", typed }: Draft,
): Promise<string | undefined> {
  const current = answered ?? typed?.message ?? "";
  const editor = editorOf(context.system);
  const hasLines = current.includes("\n");
  for (;;) {
    const answer = await prompts.text({
      message: questionOf("message"),
      ...(editor && { placeholder: `Enter alone opens ${editor[0]}` }),
      // The prompt edits a single line, which would lose the paragraphs of a longer text.
      initial: hasLines && editor ? undefined : current,
      keep: (text) => keep("message", text),
      check: (text) => (editor && text.trim() === "" ? undefined : validate("message", text)),
    });
    if (answer === undefined || answer !== "" || editor === undefined) return answer;
    const edited = await editText(context, editor, { name, text: current });
    if (edited !== undefined && validate("message", edited) === undefined) return edited;
  }
}
