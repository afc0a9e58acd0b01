// The questions of an interactive create, one for each field of a draft. A long text is written in the editor.

import { join } from "node:path";
import type { Service } from "../../incident/definition.ts";
import { type Severity, type Status, severities, statuses } from "../../incident/values.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { PromptSession, System } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { writeNew } from "../../platform/write-all.ts";
import { isGuid } from "../../rules/forms.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { servicesOf } from "../shared/notification-notice.ts";
import type { Answers, Draft } from "./drafts.ts";

export interface QuestionOptions {
  readonly context: RunContext;
  readonly prompts: PromptSession;
  readonly catalog: Catalog;
  /** The services of earlier creates, the newest first. Offered where there is no catalog. */
  readonly sentServices: readonly Service[];
  /** The problem with a field's text, as a phrase; undefined for a valid text. */
  readonly validate: (field: "name" | "description", text: string) => string | undefined;
  /** Keeps the text that was typed when the person cancels. */
  readonly keep: (field: "name" | "message", text: string) => void;
}

type Question<K extends keyof Answers> = (options: QuestionOptions, draft: Draft) => Promise<Draft[K]>;

/** Assumption: the spec names the severities and does not define them (spec 2.4). */
const severityMeanings = {
  CRITICAL: "most customers cannot use the service",
  MAJOR: "an important function fails for many customers",
  MEDIUM: "a function is slow, or fails for some customers",
  MINOR: "a small problem that few customers notice",
} as const satisfies Record<Severity, string>;

/** In the order of the dialogue. Each resolves to undefined when the person cancels it. */
export const questions = {
  name: ({ keep, prompts, validate }, { name, typed }) =>
    prompts.text({
      message: "What is wrong? Customers see this as the headline.",
      initial: name ?? typed?.name,
      keep: (text) => keep("name", text),
      check: (text) => validate("name", text),
    }),
  severity: ({ prompts }, { severity }) =>
    prompts.choose<Severity>({
      message: "How bad is it?",
      initial: severity,
      isDeliberate: true,
      choices: severities.map((value) => ({ value, label: value, explanation: severityMeanings[value] })),
    }),
  services: chooseServices,
  status: ({ prompts }, { status }) =>
    prompts.choose<Status>({
      message: "What is the status?",
      initial: status,
      choices: statuses.map((value) => ({ value, label: value })),
    }),
  message: askMessage,
  notify: async ({ prompts }, { notify = false, services = [] }) => {
    const answer = await prompts.choose<"no" | "yes">({
      message: `Notify the subscribers of ${servicesOf([{ services: [...services] }])}?`,
      initial: notify ? "yes" : "no",
      choices: [
        { value: "no", label: "No" },
        { value: "yes", label: "Yes, as soon as it is declared" },
      ],
    });
    return answer && answer === "yes";
  },
} as const satisfies { readonly [K in keyof Answers]-?: Question<K> };

export type Field = keyof typeof questions;

/** The labels of the fields in the list of fields to change. */
export const fieldLabels = {
  name: "The headline",
  severity: "The severity",
  services: "The services",
  status: "The status",
  message: "The text",
  notify: "The notification of subscribers",
} as const satisfies Record<Field, string>;

/** The choice of a service that was not declared from here before. */
const anotherService = "another";

/** Offers the services of the catalog, or else those of earlier creates. */
async function chooseServices(
  options: QuestionOptions,
  { services: current = [] }: Draft,
): Promise<readonly Service[] | undefined> {
  const { catalog, prompts, sentServices } = options;
  const hasCatalog = catalog.services.size > 0;
  const known = hasCatalog ? [...catalog.services.values()] : sentServices;
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

/** The API has no list of services (spec 4): without a catalog, the person enters each name and id. */
async function enterServices(
  { prompts, validate }: QuestionOptions,
  typed = "",
): Promise<readonly Service[] | undefined> {
  const services: Service[] = [];
  for (;;) {
    const name = await prompts.text({
      message: "Which service is affected? Its name, as customers know it.",
      ...(services.length === 0 && { initial: typed }),
      check: (text) => validate("description", text),
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
      message: "What should customers read?",
      ...(editor && { placeholder: `Enter alone opens ${editor[0]}` }),
      // The prompt edits a single line, which would lose the paragraphs of a longer text.
      initial: hasLines && editor ? undefined : current,
      keep: (text) => keep("message", text),
      check: (text) => (editor && text.trim() === "" ? undefined : validate("description", text)),
    });
    if (answer === undefined || answer !== "" || editor === undefined) return answer;
    const edited = await editText(context, editor, { name, text: current });
    if (edited !== undefined && validate("description", edited) === undefined) return edited;
  }
}

/** Longer than any public text, in bytes. */
const maxFileSize = 1024 * 1024;

/** The program and its arguments; undefined where no editor is set. */
function editorOf({ env }: System): readonly string[] | undefined {
  const words = (env.VISUAL || env.EDITOR || "").split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : words;
}

/** Everything from this line on is a comment. A marker for each line would take lines that begin with it. */
const cutLine = "# ---------------- >8 ---------------- Everything below this line is ignored.";

function withComments(name: string, text: string): string {
  const previous = text === "" ? [] : ["", "The text so far:", "", ...text.split("\n")];
  const comments = [`What customers read about the incident "${name}".`, ...previous];
  return `${text}\n\n${cutLine}\n${comments.map((line) => `# ${line}`.trimEnd()).join("\n")}\n`;
}

function withoutComments(text: string): string {
  const at = text.indexOf(cutLine.slice(0, 30));
  return (at < 0 ? text : text.slice(0, at)).trim();
}

/** Undefined where the editor fails, after a warning. */
async function editText(
  context: RunContext,
  editor: readonly string[],
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string | undefined> {
  const { files, prompts, system, warn } = context;
  const folder = files.mkdtempSync(join(system.temporary, "incident-text-"));
  const file = join(folder, "what-customers-read.md");
  try {
    writeNew(files, file, withComments(name, text), 0o600);
    const { exitCode, problem } = await prompts.runEditor([...editor, file]);
    if (exitCode === 0) {
      const bytes = readRegularFile(files, file, maxFileSize)?.bytes ?? Buffer.alloc(0);
      return withoutComments(Buffer.from(bytes).toString("utf8"));
    }
    warn(`${editor[0]} ended with ${problem ?? `exit code ${exitCode}`}: write it here instead`);
    return undefined;
  } finally {
    files.rmSync(folder, { recursive: true, force: true });
  }
}
