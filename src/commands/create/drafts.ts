// What a person has answered so far: kept in the state directory, so that an interruption costs no answer.
import { join } from "node:path";
import type { Service, Severity, Status } from "../../incident/definition.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { stateDirectory } from "../../settings/locations.ts";

export interface Draft {
  readonly name?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly services?: readonly Service[] | undefined;
  readonly status?: Status | undefined;
  readonly message?: string | undefined;
  readonly notify?: boolean | undefined;
}

export interface Drafts {
  /** The draft that was kept, and when: an ISO date-time, UTC. */
  find(): { readonly at: string; readonly draft: Draft } | undefined;
  keep(draft: Draft): void;
  discard(): void;
}

const formatVersion = 1;

export function openDrafts(context: Context & Reporter, stateDir: string | undefined): Drafts {
  const { clock, files, warn } = context;
  const folder = stateDirectory(context.system, stateDir).value;
  const file = join(folder, "draft.json");
  let hasWarned = false;
  return {
    find: () => {
      const text = readText(context, file);
      return text === undefined ? undefined : parseDraft(text);
    },
    keep: (draft) => {
      try {
        files.mkdirSync(folder, { recursive: true, mode: 0o700 });
        const kept = { formatVersion, at: new Date(clock.now()).toISOString(), draft };
        replaceFile(context, file, `${JSON.stringify(kept)}\n`, 0o600);
      } catch (error) {
        // An emergency is no time to fail because of a convenience.
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

function readText({ files }: Pick<Context, "files">, file: string): string | undefined {
  try {
    return files.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** What cannot be read is no draft; what is in it is judged with everything else before it is sent. */
function parseDraft(text: string): ReturnType<Drafts["find"]> {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== "object" || kept === null) return undefined;
    const { at, draft, formatVersion: version } = kept as Record<string, unknown>;
    if (version !== formatVersion || typeof at !== "string" || typeof draft !== "object") return undefined;
    return { at, draft: draft as Draft };
  } catch {
    return undefined;
  }
}
