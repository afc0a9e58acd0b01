// The questions of an interactive create, one for each thing that a person knows of an incident.

import { type Service, type Severity, type Status, severities, statuses } from "../../incident/definition.ts";
import { isGuid } from "../../incident/rules.ts";
import type { Context, PromptSession, Reporter } from "../../platform/context.ts";
import type { Catalog } from "../../source/catalog.ts";
import { servicesOf } from "../shared/notification-notice.ts";
import type { Draft } from "./drafts.ts";
import { editorOf, editText } from "./editor.ts";

export interface Asking {
  readonly context: Context & Reporter;
  readonly prompts: PromptSession;
  readonly catalog: Catalog;
  /** What is wrong with a field's text. */
  readonly judge: (field: "name" | "description", text: string) => string | undefined;
}

type Question<K extends keyof Draft> = (asking: Asking, draft: Draft) => Promise<Draft[K]>;

/** In the order in which they are asked. Each resolves to undefined where the person ends it. */
export const questions = {
  name: ({ judge, prompts }, { name }) =>
    prompts.text({
      message: "What is wrong? Customers see this as the headline.",
      initial: name,
      check: (text) => judge("name", text),
    }),
  severity: ({ prompts }, { severity }) =>
    prompts.choose<Severity>({
      message: "How bad is it?",
      // One Enter too many must not declare the worst.
      initial: severity ?? "MINOR",
      choices: severities.map((value) => ({ value, label: value })),
    }),
  services: (asking, { services }) =>
    asking.catalog.services.size === 0 ? enterServices(asking) : chooseServices(asking, services),
  status: ({ prompts }, { status }) =>
    prompts.choose<Status>({
      message: "How far are you?",
      initial: status,
      choices: statuses.map((value) => ({ value, label: value })),
    }),
  message: (asking, { message }) => askMessage(asking, message),
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
} as const satisfies { readonly [K in keyof Draft]-?: Question<K> };

export type Field = keyof typeof questions;

/** What each is called where a person chooses one to change. */
export const fieldLabels = {
  name: "The headline",
  severity: "The severity",
  services: "The services",
  status: "The status",
  message: "The text",
  notify: "Whether subscribers are notified",
} as const satisfies Record<Field, string>;

async function chooseServices(
  { catalog, prompts }: Asking,
  before: readonly Service[] = [],
): Promise<readonly Service[] | undefined> {
  const known = [...catalog.services];
  const names = await prompts.chooseSeveral({
    message: "Which services are affected?",
    initial: known.filter(([, { id }]) => before.some((one) => one.id === id)).map(([name]) => name),
    choices: known.map(([name, service]) => ({ value: name, label: service.name })),
  });
  return names?.flatMap((name) => catalog.services.get(name) ?? []);
}

/** The API has no list of services (spec 4): without a catalog, a person has to know them. */
async function enterServices({ judge, prompts }: Asking): Promise<readonly Service[] | undefined> {
  const services: Service[] = [];
  for (;;) {
    const name = await prompts.text({
      message: "Which service is affected? Its name, as customers know it.",
      check: (text) => judge("description", text),
    });
    if (name === undefined) return undefined;
    const id = await prompts.text({
      message: `The id of ${name}, a GUID (incident services import --help keeps it for the next time)`,
      check: (text) =>
        isGuid(text.trim()) ? undefined : "an id looks like 7c9e6679-7425-40de-944b-e07fc1f90ae7",
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

async function askMessage({ context, judge, prompts }: Asking, before = ""): Promise<string | undefined> {
  const editor = editorOf(context);
  const hasLines = before.includes("\n");
  for (;;) {
    const written = await prompts.text({
      message: "What do customers read?",
      ...(editor && { placeholder: `Enter alone opens ${editor[0]}` }),
      // A line would lose the paragraphs of a text that has several.
      initial: hasLines && editor ? undefined : before,
      check: (text) => (editor && text.trim() === "" ? undefined : judge("description", text)),
    });
    if (written === undefined || written !== "" || editor === undefined) return written;
    const edited = await editText(context, editor, before);
    if (edited !== undefined && judge("description", edited) === undefined) return edited;
  }
}
