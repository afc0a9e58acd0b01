// The questions that create and update share: the text that customers read, also in the person's editor, and whom to notify.
import { join } from "node:path";
import type { TextField } from "../../incident/field.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { PromptSession, System } from "../../platform/context.ts";
import { makeTemporaryFolder } from "../../platform/folders/temporary-folder.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { writeNew } from "../../platform/write-file.ts";
import type { CheckOptions } from "../../source/checks.ts";
import { createFieldValidator } from "./fields.ts";

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

interface MessageQuestion {
  readonly message: string;
  readonly initial?: string | undefined;
  /** Of the incident. */
  readonly name: string;
  readonly check: (text: string) => string | undefined;
}

/** The text that customers read. Where an editor is set, Enter alone opens it. Undefined when the person cancels. */
export async function askMessage(
  context: RunContext,
  prompts: PromptSession,
  { check, initial: current = "", message, name }: MessageQuestion,
): Promise<string | undefined> {
  const editor = editorOf(context.system);
  for (;;) {
    const answer = await prompts.text({
      message,
      ...(editor && { placeholder: `Enter alone opens ${editor[0]}` }),
      // The prompt edits a single line, which would lose the paragraphs of a longer text.
      initial: current.includes("\n") && editor ? undefined : current,
      check: (text) => (text.trim() !== "" ? check(text) : editor ? undefined : writeSomething),
    });
    if (answer === undefined || answer !== "" || editor === undefined) return answer;
    const edited = await editText(context, editor, { name, text: current });
    if (edited !== undefined && edited !== "" && check(edited) === undefined) return edited;
  }
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
  const { files, prompts, warn } = context;
  const folder = makeTemporaryFolder(context, "text");
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
