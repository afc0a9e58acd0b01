// Edits a text in the editor of the person at the terminal.
import { join } from "node:path";
import type { Files, Prompts, Reporter, System } from "../../platform/context.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { writeAll } from "../../platform/write-all.ts";

export interface EditorContext extends Pick<Reporter, "warn"> {
  readonly system: Pick<System, "env" | "temporary">;
  readonly files: Files;
  readonly prompts: Pick<Prompts, "runEditor">;
}

/** Longer than any public text, in bytes. */
const maxFileSize = 1024 * 1024;

/** The program and its arguments; undefined where no editor is set. */
export function editorOf({ env }: Pick<System, "env">): readonly string[] | undefined {
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
  context: EditorContext,
  editor: readonly string[],
  { name, text }: { readonly name: string; readonly text: string },
): Promise<string | undefined> {
  const { files, prompts, system, warn } = context;
  const folder = files.mkdtempSync(join(system.temporary, "incident-text-"));
  const file = join(folder, "what-customers-read.md");
  try {
    writePrivately(files, file, withComments(name, text));
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

function writePrivately(files: Files, file: string, text: string): void {
  const descriptor = files.openSync(file, "wx", 0o600);
  try {
    writeAll(files, descriptor, text);
  } finally {
    files.closeSync(descriptor);
  }
}
