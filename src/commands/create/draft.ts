// The answers of an interactive create, kept in a YAML file, which `create -f` takes as well: an interruption loses none.
import { join } from "node:path";
import { messageOf } from "../../failure.ts";
import type { RunContext } from "../../kit/define-command.ts";
import { makeFolders } from "../../platform/folders.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { replaceFile } from "../../platform/write-file.ts";
import { entriesOf, type Fields, isMapping } from "../../untrusted-data.ts";
import type { Draft } from "../sending/dialogue.ts";

export type DraftFile = ReturnType<typeof openDraftFile>;

/** More than the answers to all questions, in bytes. */
const maxFileSize = 1024 * 1024;

/** A convenience: no member throws. */
export function openDraftFile(context: RunContext) {
  const { files, warn } = context;
  const folder = context.workspace.stateDirectory.value;
  const path = join(folder, "draft.yaml");
  let hasWarned = false;
  return {
    path,
    /** Undefined where there is none. */
    load: async (): Promise<Draft | undefined> => {
      try {
        const bytes = readRegularFile(files, path, maxFileSize)?.bytes ?? new Uint8Array();
        const { parseSource } = await import("../../source/documents.ts");
        // A text of a definition has "$${" for "${".
        const text = Buffer.from(bytes).toString().replaceAll("$${", "${");
        const [document] = parseSource({ file: path, bytes: Buffer.from(text) }).documents;
        return isMapping(document?.value) ? draftOf(document.value) : undefined;
      } catch {
        return undefined;
      }
    },
    save: async (draft: Draft): Promise<void> => {
      try {
        const { escapeVariables } = await import("../../source/variables/replace-variables.ts");
        const { renderYaml } = await import("../../source/yaml/write.ts");
        makeFolders(files, folder);
        replaceFile(context, path, renderYaml(escapeVariables(documentOf(draft))), 0o600);
      } catch (error) {
        if (!hasWarned) warn(`the draft is not kept: ${messageOf(error)}`);
        hasWarned = true;
      }
    },
    discard: () => {
      try {
        files.rmSync(path, { force: true });
      } catch (error) {
        warn(`the draft could not be removed: ${messageOf(error)}`);
      }
    },
  };
}

/** Undefined for a definition with more updates than the questions ask for. */
export function draftOf({ incidentUpdates, ...incident }: Fields): Draft | undefined {
  const [update = {}, ...others] = entriesOf(incidentUpdates);
  return others.length === 0 && isMapping(update) ? { incident, update } : undefined;
}

export function documentOf({ incident, update }: Draft): Fields {
  return { ...incident, incidentUpdates: [update] };
}
