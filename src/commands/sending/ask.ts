// The questions that create and update share: the text that customers read, whom to notify, and whether to send it.
import type { TextField } from "../../incident/field.ts";
import type { Incident } from "../../incident/wire.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Choice, PromptSession } from "../../platform/context.ts";
import type { CheckOptions } from "../../source/definitions.ts";
import { createFieldValidator } from "../shared/fields.ts";
import { incidentAfter, notifiedBy, type PlannedIncident } from "./plan.ts";

/** For an empty answer. */
export const writeSomething = "write something: customers will read it";

/** The problem with a text, by the rules of its field and the contract, as a phrase; undefined for a valid text. */
export async function createTextCheck({ contract }: CheckOptions = {}) {
  const validate = await createFieldValidator();
  return (field: TextField, text: string): string | undefined => {
    if (text.trim() === "") return writeSomething;
    const part = { [field.name]: text };
    const written = field.isOfUpdate ? { incidentUpdates: [part] } : part;
    const problem =
      validate(field, text) ?? contract?.(written).find(({ path }) => path.at(-1) === field.name);
    return problem && `${problem.message}: ${problem.hint}`;
  };
}

/** The text that customers read. Undefined when the person cancels. */
export function askMessage(
  prompts: PromptSession,
  message: string,
  check: (text: string) => string | undefined,
  initial?: string,
): Promise<string | undefined> {
  // The prompt edits a single line, which would lose the paragraphs of a longer text.
  return prompts.text({ message, initial: initial?.includes("\n") ? undefined : initial, check });
}

/** Undefined when the person cancels. */
export async function chooseNotify(
  prompts: PromptSession,
  services: string,
  when: "declared" | "posted",
  initial: boolean,
): Promise<boolean | undefined> {
  const answer = await prompts.choose<"no" | "yes">({
    message: `Notify the subscribers of ${services}?`,
    initial: initial ? "yes" : "no",
    choices: [
      { value: "no", label: "No" },
      { value: "yes", label: `Yes, as soon as it is ${when}` },
    ],
  });
  return answer && answer === "yes";
}

interface Asked {
  readonly planned: PlannedIncident;
  /** As it was read; undefined for a create. */
  readonly incident?: Incident;
  readonly verb: "Declare" | "Post" | "Send";
  /** What is sent, and where: `"Checkout fails" at api.example`. */
  readonly subject: string;
}

/** Shows what customers will see, and asks whether to send it. `more`: further choices. Undefined when the person cancels. */
export async function askToSend<T extends string>(
  context: RunContext,
  prompts: PromptSession,
  { incident, planned, subject, verb }: Asked,
  more: readonly Choice<T>[] = [],
): Promise<"send" | "stop" | T | undefined> {
  const { renderPreview } = await import("../../view/incident.ts");
  await context.show((style) => renderPreview(style, incidentAfter(incident, planned.requests)));
  const loud = notifiedBy([planned]);
  const quietly = verb === "Send" ? "" : " without notifying";
  return prompts.choose<"send" | "stop" | T>({
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
}
