// Keeps the answers of an interactive create: in the state directory, so that an interruption loses none, and in a file
// for `create -f`.
import { join, resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Service } from "../../incident/definition.ts";
import { fieldsOfIncident, fieldsOfUpdate, type TextField, textFields } from "../../incident/fields.ts";
import type { RunContext } from "../../kit/define-command.ts";
import type { Files, PromptSession } from "../../platform/context.ts";
import { makeFolders } from "../../platform/folders/make-folders.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { writeNewFile } from "../../platform/write-named-file.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { shellWord } from "../../text/advice.ts";
import { messageOf } from "../../thrown-value.ts";
import { type Fields, ownValue } from "../../untrusted-data.ts";

/** The answers: `services`, `notify`, and a text for each of the fields that are one text. */
export interface Draft extends Fields {
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly services?: readonly Service[] | undefined;
  readonly notify?: boolean | undefined;
  /** The id in the file that the answers were written to. */
  readonly id?: string | undefined;
  /** The text in the field when the user cancels a question. */
  readonly typed?: Readonly<Partial<Record<"name" | "message", string>>> | undefined;
}

/** The draft in the state directory. It is a convenience: no member throws. */
export interface Drafts {
  /** The saved draft, and the ISO date-time (UTC) of its last change; undefined where there is none. */
  load(): { readonly at: string; readonly draft: Draft } | undefined;
  /** Replaces the saved draft. */
  save(draft: Draft): void;
  /** Removes the saved draft. */
  discard(): void;
}

const formatVersion = 1;

/** More than the answers to all questions, in bytes. */
const maxFileSize = 1024 * 1024;

export function openDrafts(context: RunContext): Drafts {
  const { files, system, warn } = context;
  const folder = context.workspace.stateDirectory.value;
  const file = join(folder, "draft.json");
  let hasWarned = false;
  return {
    load: () => readDraft(files, file),
    save: (draft) => {
      try {
        makeFolders(files, folder);
        const saved = { formatVersion, at: new Date(system.clock.now()).toISOString(), draft };
        replaceFile(context, file, `${JSON.stringify(saved)}\n`, 0o600);
      } catch (error) {
        if (!hasWarned) warn(`the draft is not kept: ${messageOf(error)}`);
        hasWarned = true;
      }
    },
    discard: () => {
      try {
        files.rmSync(file, { force: true });
      } catch (error) {
        warn(`the draft could not be removed: ${messageOf(error)}`);
      }
    },
  };
}

/** Ignores a file that is no draft. The values of a draft are validated with the definition before it is sent. */
function readDraft(files: Files, file: string): ReturnType<Drafts["load"]> {
  try {
    const bytes = readRegularFile(files, file, maxFileSize)?.bytes ?? new Uint8Array();
    const { at, draft, formatVersion: version } = JSON.parse(new TextDecoder().decode(bytes));
    if (version !== formatVersion || typeof at !== "string" || typeof draft !== "object") return undefined;
    return { at, draft };
  } catch {
    return undefined;
  }
}

/** The document of a definition, perhaps incomplete. */
interface DraftDocument extends Fields, Pick<Draft, "name" | "services"> {
  readonly incidentUpdates: readonly Fields[];
}

/** Whether the answers have a place for every field of the document. */
export function fitsDraft({ incidentUpdates = [], ...fields }: Partial<DraftDocument>): boolean {
  const names = (all: readonly TextField[], ...others: readonly string[]) => [
    ...others,
    ...all.map(({ name }) => name),
  ];
  const [update = {}, ...more] = incidentUpdates;
  const has = (known: readonly string[], part: Fields) =>
    Object.keys(part).every((name) => known.includes(name));
  return (
    more.length === 0 &&
    has(names(fieldsOfIncident, "services"), fields) &&
    has(names(fieldsOfUpdate, "notifySubscribers"), update)
  );
}

/** The draft with the fields of a document. */
export function draftFromDocument(document: unknown): Draft {
  const { incidentUpdates = [], services, ...fields } = (document ?? {}) as Partial<DraftDocument>;
  const [update = {}] = incidentUpdates;
  const texts = textFields.map(({ isOfUpdate, key, name }) => [
    key,
    ownValue(isOfUpdate ? update : fields, name),
  ]);
  const draft = { ...Object.fromEntries(texts), services, notify: update.notifySubscribers };
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

export function documentFromDraft(draft: Draft): DraftDocument {
  const { id, notify, services } = draft;
  // A choice that leaves a field out is an empty text.
  const textsOf = (fields: readonly TextField[]) =>
    Object.fromEntries(fields.map(({ key, name }) => [name, ownValue(draft, key) || undefined]));
  return {
    ...(id !== undefined && { id }),
    ...textsOf(fieldsOfIncident),
    services,
    incidentUpdates: [{ ...textsOf(fieldsOfUpdate), notifySubscribers: notify }],
  };
}

/** Asks for the name of the file. Returns whether it was written. */
export async function saveDefinition(
  context: RunContext,
  prompts: PromptSession,
  catalog: Catalog,
  document: DraftDocument,
): Promise<boolean> {
  const { files, info, system, warn } = context;
  const file = await prompts.text({
    message: "Write it to which file?",
    initial: `${fileName(document.name ?? "incident")}.yaml`,
    check: (text) => {
      if (text.trim() === "") return "name a file";
      const isThere =
        files.statSync(resolve(system.cwd, text.trim()), { throwIfNoEntry: false }) !== undefined;
      return isThere ? "it already exists and stays unchanged: choose another name" : undefined;
    },
  });
  if (file === undefined) return false;
  const { escapeVariables } = await import("../../source/variables/replace-variables.ts");
  const { renderYaml } = await import("../../source/yaml/render-yaml.ts");
  const text = renderYaml(escapeVariables(withNames(document, catalog)));
  try {
    writeNewFile(files, resolve(system.cwd, file), file, text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(`${error.message}: ${error.hint}`);
    return false;
  }
  info(`wrote ${file}; the next time: incident create -f ${shellWord(file)}`);
  return true;
}

/** Replaces each service of the catalog by its name there. */
function withNames(document: DraftDocument, catalog: Catalog): object {
  const names = new Map([...catalog.services].map(([name, { id }]) => [id, name]));
  return { ...document, services: document.services?.map((service) => names.get(service.id) ?? service) };
}

function fileName(headline: string): string {
  const words = headline
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["incident"];
  return words.slice(0, 6).join("-");
}
