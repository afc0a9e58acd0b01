// Saves the answers of an interactive create in the state directory, so that an interruption loses none.
import { join } from "node:path";
import type { Service } from "../../incident/definition.ts";
import type { Severity, Status } from "../../incident/values.ts";
import type { Context, Files, Reporter } from "../../platform/context.ts";
import { makeFolders } from "../../platform/folders/make-folders.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { stateDirectory } from "../../workspace/locations.ts";

/** The fields that the questions ask for. */
export interface Answers {
  readonly name?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly services?: readonly Service[] | undefined;
  readonly status?: Status | undefined;
  readonly message?: string | undefined;
  readonly notify?: boolean | undefined;
}

export interface Draft extends Answers {
  /** The id in the file that the answers were written to. */
  readonly id?: string | undefined;
  /** The text in the field when the user cancels a question. */
  readonly typed?: Readonly<Partial<Record<"name" | "message", string>>> | undefined;
}

export interface Drafts {
  /** The saved draft, and the ISO date-time (UTC) of its last change. */
  load(): { readonly at: string; readonly draft: Draft } | undefined;
  save(draft: Draft): void;
  discard(): void;
}

const formatVersion = 1;

/** More than the answers to all questions, in bytes. */
const maxFileSize = 1024 * 1024;

export function openDrafts(context: Context & Pick<Reporter, "warn">, stateDir: string | undefined): Drafts {
  const { files, system, warn } = context;
  const folder = stateDirectory(system, stateDir).value;
  const file = join(folder, "draft.json");
  let hasWarned = false;
  return {
    load: () => {
      const text = readText(files, file);
      return text === undefined ? undefined : parseDraft(text);
    },
    save: (draft) => {
      try {
        makeFolders(files, folder);
        const saved = { formatVersion, at: new Date(system.clock.now()).toISOString(), draft };
        replaceFile(context, file, `${JSON.stringify(saved)}\n`, 0o600);
      } catch (error) {
        // The draft is a convenience: the create goes on without it.
        if (!hasWarned) warn(`the draft is not kept: ${error instanceof Error ? error.message : error}`);
        hasWarned = true;
      }
    },
    discard: () => {
      try {
        files.rmSync(file, { force: true });
      } catch (error) {
        warn(`the draft could not be removed: ${error instanceof Error ? error.message : error}`);
      }
    },
  };
}

function readText(files: Files, file: string): string | undefined {
  try {
    const bytes = readRegularFile(files, file, maxFileSize)?.bytes;
    return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Ignores a file that is no draft. The values of a draft are validated with the definition before it is sent. */
function parseDraft(text: string): ReturnType<Drafts["load"]> {
  try {
    const saved: unknown = JSON.parse(text);
    if (typeof saved !== "object" || saved === null) return undefined;
    const { at, draft, formatVersion: version } = saved as Record<string, unknown>;
    if (version !== formatVersion || typeof at !== "string" || typeof draft !== "object") return undefined;
    return { at, draft: draft as Draft };
  } catch {
    return undefined;
  }
}

/** The document of a definition, perhaps incomplete. */
export interface DraftDocument extends Pick<Draft, "name" | "severity" | "services"> {
  readonly id?: string;
  readonly incidentUpdates: readonly {
    readonly status?: Draft["status"];
    readonly description?: string | undefined;
    readonly notifySubscribers?: boolean | undefined;
  }[];
}

/** The draft with the fields of a document. */
export function draftFromDocument(document: unknown): Draft {
  const { name, severity, services, incidentUpdates = [] } = (document ?? {}) as Partial<DraftDocument>;
  const [{ status, description, notifySubscribers } = {}] = incidentUpdates;
  const draft = { name, severity, services, status, message: description, notify: notifySubscribers };
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

export function documentFromDraft({
  id,
  name,
  severity,
  services,
  status,
  message,
  notify,
}: Draft): DraftDocument {
  return {
    ...(id !== undefined && { id }),
    name,
    severity,
    services,
    incidentUpdates: [{ status, description: message, notifySubscribers: notify }],
  };
}
