// The questions that create and update share: the text that customers read, and whom to notify.
import type { TextField } from "../../incident/field.ts";
import type { PromptSession } from "../../platform/context.ts";
import type { CheckOptions } from "../../source/definitions.ts";
import { createFieldValidator } from "../shared/fields.ts";

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
