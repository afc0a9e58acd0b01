// Writes a long text in the person's editor.
import { join } from "node:path";
import type { RunContext } from "../../kit/define-command.ts";
import type { System } from "../../platform/context.ts";
import { makeTemporaryFolder } from "../../platform/folders/temporary-folder.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { writeNew } from "../../platform/write-file.ts";

/** Longer than any public text, in bytes. */
const maxFileSize = 1024 * 1024;

/** The program and its arguments; undefined where no editor is set. */
export function editorOf({ env }: System): readonly string[] | undefined {
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
export async function editText(
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
