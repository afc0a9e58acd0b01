// A person at the terminal: the questions of create, update and resolve, one for each field of the table that no flag gives.
// Where nothing was sent, the answers are not lost: a failure names the command that goes on with them.
import { join } from "node:path";
import type { Client } from "../../api/client.ts";
import { describedOperation } from "../../api/known-operations.ts";
import { type DeliveryOptions, pagesOf } from "../../delivery/delivery-options.ts";
import { resolvedFailure } from "../../delivery/failures.ts";
import { propertiesOf } from "../../document/json-schema.ts";
import { Failure, messageOf, type NextCommand } from "../../failure.ts";
import {
  incidentTextFields,
  type Service,
  type TextField,
  updateTextFields,
} from "../../incident/definition.ts";
import { type Incident, incidentFacts, isResolved } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/command.ts";
import { replaceFile } from "../../platform/write-file.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { escapeVariables } from "../../source/variables.ts";
import { renderYaml } from "../../source/yaml/write.ts";
import { shell } from "../../text/advice.ts";
import { type Fields, ownValue } from "../../untrusted-data.ts";
import { inOrder } from "../shared/incident-list.ts";
import { openPrompts } from "../shared/questions.ts";
import { offerServices } from "../shared/services.ts";
import { checkChange, createFieldValidator, type Draft, withDraft } from "./fields.ts";
import { servicesOf } from "./plan.ts";

/** Gets the draft after each answer. */
type Keep = (draft: Draft) => void;

/** Runs `work`, which asks and sends. Where it sent nothing, its failure names the command that goes on with the last draft. */
export async function withAnswers<T>(
  commandOf: (draft: Draft) => NextCommand | undefined,
  work: (keep: Keep) => Promise<T>,
): Promise<T> {
  let next: NextCommand | undefined;
  try {
    return await work((draft) => {
      next = commandOf(draft);
    });
  } catch (error) {
    if (!(error instanceof Failure) || next === undefined || error.kind === "uncertain") throw error;
    const { commands = [] } = error.details;
    throw error.with({ commands: [...commands, next] });
  }
}

/** The YAML file with the answers of a create, which `create -f` takes. */
export function openDraftFile(context: RunContext) {
  const path = join(context.workspace.stateDirectory.value, "draft.yaml");
  let isKept: boolean | undefined;
  return {
    /** Called after each answer, because a closed terminal ends the program. Warns where it cannot be written. */
    write: (draft: Draft): NextCommand | undefined => {
      if (isKept === false) return undefined;
      try {
        const yaml = renderYaml(escapeVariables(withDraft({}, draft, undefined)));
        replaceFile(context, path, yaml, { isPrivate: true });
        isKept = true;
        const purpose = "your answers are kept: complete them in the file, and run";
        return { command: shell`incident create -f ${path}`, purpose };
      } catch (error) {
        context.warn(`the answers are not kept: ${messageOf(error)}`);
        isKept = false;
        return undefined;
      }
    },
    remove: () => {
      if (isKept) context.files.rmSync(path, { force: true });
    },
  };
}

/** Asks for the fields of a new incident that the draft lacks. */
export async function askForIncidentFields(
  context: RunContext,
  client: Client,
  catalog: Catalog,
  draft: Draft,
  keep: Keep,
): Promise<Draft> {
  const services = draft.incident.services ? [] : await offerServices(context, client, catalog);
  return askMissing(await openDialogue(context, services), draft, questions, keep);
}

export async function askForIncident(context: RunContext, delivery: DeliveryOptions): Promise<string> {
  const { prompts } = await openDialogue(context);
  const list = await pagesOf(delivery);
  const entries = list ? (await delivery.client.list("incidents", list)).entries : [];
  const open = inOrder(entries.filter((incident) => !isResolved(incident))).map(incidentFacts);
  if (open.length === 0)
    throw new Failure("missing", "no open incident is known", {
      hint: "give the incident's id; nothing was sent",
    });
  const choices = open.map(({ id, name, status = "" }) => ({
    value: id,
    label: name ?? id,
    explanation: `${status} ${id.slice(0, 8)}`.trimStart(),
  }));
  return prompts.choose<string>({ message: "Which incident?", choices });
}

/** Asks for the fields of the update that the draft lacks. Throws a `Failure` "rejected" where none may be posted. */
export async function askForUpdate(
  context: RunContext,
  delivery: DeliveryOptions,
  id: string,
  draft: Draft,
  keep: Keep,
  reopens = false,
): Promise<Fields> {
  const incident = await delivery.client.getIncident(id);
  // An update to RESOLVED may be posted already, which is no failure.
  if (isResolved(incident) && draft.update.status !== "RESOLVED" && !reopens)
    throw resolvedFailure(delivery, incident);
  const known = await delivery.operations();
  const takes = propertiesOf(describedOperation(known, delivery.client.settings, "addUpdate", id).body);
  const asked = questions.filter(
    ({ name, part }) => part === "update" && (name !== "notifySubscribers" || takes.has(name)),
  );
  const dialogue = await openDialogue(context, [], incident);
  const { update } = await askMissing(dialogue, draft, asked, keep);
  await checkChange(context, { incidentUpdates: [update] });
  return update;
}

type Dialogue = Awaited<ReturnType<typeof openDialogue>>;

async function openDialogue(context: RunContext, services: readonly Service[] = [], incident?: Incident) {
  const validate = await createFieldValidator();
  return {
    prompts: await openPrompts(context, "nothing was sent"),
    services,
    incident,
    /** The problem with the text of a field, by its rules, as a phrase. */
    check: (field: TextField, text: string): string | undefined => {
      if (text.trim() === "") return "write something: customers will read it";
      const problem = validate(field, text);
      return problem && `${problem.message}: ${problem.hint}`;
    },
  };
}

interface Question {
  readonly part: keyof Draft;
  readonly name: string;
  readonly ask: (dialogue: Dialogue, draft: Draft) => Promise<unknown>;
}

/** Asks for each answer that the draft lacks. */
async function askMissing(
  dialogue: Dialogue,
  draft: Draft,
  asked: readonly Question[],
  keep: Keep,
): Promise<Draft> {
  let answered = draft;
  for (const { ask, name, part } of asked) {
    if (ownValue(answered[part], name) !== undefined) continue;
    const answer = await ask(dialogue, answered);
    answered = { ...answered, [part]: { ...answered[part], [name]: answer } };
    keep(answered);
  }
  return answered;
}

/** Enter alone takes the current status of an incident that exists, and the least value of a required field. */
function askField({ check, incident, prompts }: Dialogue, field: TextField) {
  const { isRequired, meanings = {}, name, question = "", values } = field;
  if (values === undefined) return prompts.text({ message: question, check: (text) => check(field, text) });
  const { name: title = incident?.id, status } = incident ? incidentFacts(incident) : {};
  const isKnown = incident !== undefined && name === "status";
  const known = isKnown ? values.find((value) => value === status) : undefined;
  const now = status === undefined ? "" : ` It is ${status}.`;
  return prompts.choose<string>({
    message: isKnown ? `What is the status of "${title}" now?${now}` : question,
    initial: known ?? (isRequired ? values.at(-1) : undefined),
    choices: values.map((value) => ({ value, label: value, explanation: ownValue(meanings, value) })),
  });
}

async function chooseServices({ prompts, services: known }: Dialogue) {
  const chosen = await prompts.chooseSeveral({
    message: "Which services are affected?",
    choices: known.map((each) => ({ value: each.id, label: labelOf(each, known) })),
  });
  return known.filter(({ id }) => chosen.includes(id));
}

/** The name, with the first digits of the id where another service has the same name. */
function labelOf({ id, name }: Service, all: readonly Service[]): string {
  const isAmbiguous = all.some((other) => other.name === name && other.id !== id);
  return isAmbiguous ? `${name} (${id.slice(0, 8)}…)` : name;
}

async function chooseNotify({ incident: known, prompts }: Dialogue, { incident }: Draft) {
  const { name = "the incident", services } = incidentFacts(known ?? { id: "", ...incident });
  const names = services.map((each) => each.name ?? each.id ?? "");
  const answer = await prompts.choose<"no" | "yes">({
    message: `Notify the subscribers of ${servicesOf([{ name, services: names }])}?`,
    initial: "no",
    choices: [
      { value: "no", label: "No" },
      { value: "yes", label: `Yes, as soon as it is ${known === undefined ? "declared" : "posted"}` },
    ],
  });
  return answer === "yes";
}

const questionsOf = (fields: readonly TextField[], part: keyof Draft): readonly Question[] =>
  fields
    .filter(({ question }) => question !== undefined)
    .map((field) => ({ part, name: field.name, ask: (dialogue) => askField(dialogue, field) }));

/** The choices of an update come before its text. */
const byChoices = (one: TextField, other: TextField) =>
  Number(one.values === undefined) - Number(other.values === undefined);

/** In the order of the dialogue. */
export const questions: readonly Question[] = [
  ...questionsOf(incidentTextFields, "incident"),
  { part: "incident", name: "services", ask: chooseServices },
  ...questionsOf(updateTextFields.toSorted(byChoices), "update"),
  { part: "update", name: "notifySubscribers", ask: chooseNotify },
];
