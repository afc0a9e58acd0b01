// Writes the answers of an interactive create to a file for `create -f`.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Files, PromptSession, Reporter, System } from "../../platform/context.ts";
import { shellWord } from "../../platform/shell-quote.ts";
import type { Catalog } from "../../source/resolve-services.ts";
import { writeNewFile } from "../shared/write-new-file.ts";
import type { DraftDocument } from "./drafts.ts";

interface SaveContext extends Pick<Reporter, "info" | "warn"> {
  readonly system: Pick<System, "cwd">;
  readonly files: Pick<
    Files,
    "closeSync" | "lstatSync" | "openSync" | "realpathSync" | "statSync" | "writeSync"
  >;
}

/** Asks for the name of the file. Returns whether it was written. */
export async function saveDefinition(
  context: SaveContext,
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
  const { renderYaml } = await import("../../source/yaml/parser.ts");
  try {
    writeNewFile(
      files,
      resolve(system.cwd, file),
      file,
      renderYaml(escapeVariables(withNames(document, catalog))),
    );
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
