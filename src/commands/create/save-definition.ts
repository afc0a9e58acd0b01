// Writes the answers of an interactive create to a file, so that the next time it is `create -f`.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context, PromptSession, Reporter } from "../../platform/context.ts";
import { shellWord } from "../../platform/shell-quote.ts";
import type { Catalog } from "../../source/catalog.ts";
import { writeNew } from "../new/run.ts";
import type { DraftDocument } from "./interactive.ts";

/** Asks for the file. Without an answer nothing is written, and the person is back where they were. */
export async function saveDefinition(
  context: Context & Reporter,
  prompts: PromptSession,
  catalog: Catalog,
  document: DraftDocument,
): Promise<void> {
  const { cwd, files, info, warn } = context;
  const file = await prompts.text({
    message: "Write it to which file?",
    initial: `${fileName(document.name ?? "incident")}.yaml`,
    check: (text) => {
      if (text.trim() === "") return "name a file";
      const isThere = files.statSync(resolve(cwd, text.trim()), { throwIfNoEntry: false }) !== undefined;
      return isThere ? "it is there already, and is left as it is: choose another name" : undefined;
    },
  });
  if (file === undefined) return;
  const { escapeVariables } = await import("../../source/variables.ts");
  const { renderYaml } = await import("../../source/yaml.ts");
  try {
    writeNew(context, resolve(cwd, file), file, renderYaml(escapeVariables(withNames(document, catalog))));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(`${error.message}: ${error.hint}`);
    return;
  }
  info(`wrote ${file}; the next time: incident create -f ${shellWord(file)}`);
}

/** A service of the catalog is written by its name there, as a person would. */
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
