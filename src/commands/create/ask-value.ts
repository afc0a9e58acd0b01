// Asks for the values that a template needs, one question for each.
import type { Context, PromptSession } from "../../platform/context.ts";
import type { GlobalFlags } from "../define-command.ts";
import { openPrompts } from "../shared/open-prompts.ts";
import type { AskValue } from "../shared/templates.ts";

/** Opens the terminal at the first question. */
export function createAskValue(context: Context, global: GlobalFlags): AskValue {
  let prompts: PromptSession | undefined;
  return async (name, { description, enum: texts, values }, check) => {
    prompts ??= await openPrompts(context, global);
    const allowed = values === undefined ? texts : Object.keys(values);
    const message = description === undefined ? `${name}?` : `${name}: ${description}`;
    if (allowed === undefined) return prompts.text({ message, check });
    return prompts.choose({ message, choices: allowed.map((value) => ({ value, label: value })) });
  };
}
