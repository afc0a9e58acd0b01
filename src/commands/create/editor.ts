// A text written in the person's own editor.
import { join } from "node:path";
import type { Context, Reporter } from "../../platform/context.ts";

/** The program and its arguments; undefined where none is set. */
export function editorOf({ env }: Pick<Context, "env">): readonly string[] | undefined {
  const words = (env.VISUAL || env.EDITOR || "").split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? undefined : words;
}

/** Undefined where the editor failed; the person has been told. */
export async function editText(
  context: Context & Reporter,
  editor: readonly string[],
  text: string,
): Promise<string | undefined> {
  const { files, runEditor, temporary, warn } = context;
  const folder = files.mkdtempSync(join(temporary, "incident-text-"));
  const file = join(folder, "what-customers-read.md");
  try {
    files.writeFileSync(file, text, { mode: 0o600 });
    const { exitCode, problem } = await runEditor([...editor, file]);
    if (exitCode === 0) return files.readFileSync(file, "utf8").trim();
    warn(`${editor[0]} ended with ${problem ?? `exit code ${exitCode}`}: write it here instead`);
    return undefined;
  } finally {
    files.rmSync(folder, { recursive: true, force: true });
  }
}
