// Offers the templates of the project before the questions, and answers the questions from the chosen one.
import { cancellation, Failure } from "../../failure.ts";
import type { PromptSession } from "../../platform/context.ts";
import type { GlobalFlags, RunContext } from "../define-command.ts";
import { readDefinitions } from "../shared/read-definitions.ts";
import { listTemplates } from "../shared/templates.ts";
import { createAskValue } from "./ask-value.ts";
import { type Draft, draftFromDocument } from "./drafts.ts";

/** The fields that the questions ask for. */
const asked: ReadonlySet<string> = new Set(["name", "severity", "services", "incidentUpdates"]);

/** An empty draft where the project has no template, or the person wants none. A person's choice needs no `when`. */
export async function chooseTemplate(
  context: RunContext,
  global: GlobalFlags,
  prompts: PromptSession,
): Promise<Draft> {
  const names = [...(await listTemplates(context)).keys()];
  if (names.length === 0) return {};
  const choices = names.map((value) => ({ value, label: value }));
  const template = await prompts.choose({
    message: "Start from a template?",
    choices: [...choices, { value: "", label: "No template: answer every question" }],
  });
  if (template === undefined) throw cancellation(context.system.signal, "nothing was sent");
  if (template === "") return {};
  const ask = createAskValue(context, global);
  const [filled] = await readDefinitions(context, [], {
    recurse: false,
    stateDir: global.stateDir,
    template,
    ask,
  });
  const { incidentUpdates = [], ...fields } = filled?.definition ?? {};
  if (incidentUpdates.length === 1 && Object.keys(fields).every((name) => asked.has(name)))
    return draftFromDocument(filled?.definition);
  throw new Failure("usage", `the template ${template} has more than the questions ask for`, {
    hint: "nothing was sent",
    commands: [{ command: `incident create --template ${template}`, purpose: "declare it as it is" }],
  });
}
