// `incident new`: writes a definition to start from, with a comment for each field and a fresh id.
import { dirname, join, resolve } from "node:path";
import { placeholder } from "../../incident/values.ts";
import { type SafeText, safe } from "../../platform/terminal/safe-text.ts";
import { shellWord } from "../../text/shell-quote.ts";
import type { Run, RunContext } from "../define-command.ts";
import type { ReadOptions } from "../shared/read-definitions.ts";
import { writeNewFile } from "../shared/write-new-file.ts";
import { renderSample } from "./sample.ts";
import type { spec } from "./spec.ts";

/** The schema is in the folder of the definition, so that every project refers to it by the same line. */
const schemaFile = "incident.schema.json";
const header = safe`# yaml-language-server: $schema=./${schemaFile}`;

export const run: Run<typeof spec> = async (context, { operands: [operand], flags }) => {
  const file = flags.file ?? operand;
  const id = context.system.random.guid();
  const isSample = flags.from === undefined;
  const text = isSample
    ? await renderSample({ id, header, contract: await context.workspace.contract() })
    : await fillSample(context, { ...flags, template: flags.from }, id);
  if (file === undefined || file === "-") return { page: () => text };
  const path = resolve(context.system.cwd, file);
  writeNewFile(context.files, path, file, text);
  context.info(
    isSample
      ? `wrote ${file}; replace each ${placeholder}, then: incident validate ${file}`
      : `wrote ${file}; the next step: incident create -f ${shellWord(file)}`,
  );
  if (context.files.statSync(join(dirname(path), schemaFile), { throwIfNoEntry: false }) === undefined)
    context.info(`for help in your editor: incident schema > ${join(dirname(file), schemaFile)}`);
  return {};
};

/** A definition from a template, with an id that keeps it from being declared twice. */
async function fillSample(
  context: RunContext,
  options: Omit<ReadOptions, "recurse">,
  id: string,
): Promise<SafeText> {
  const { readDefinitions } = await import("../shared/read-definitions.ts");
  const { escapeVariables } = await import("../../source/variables/replace-variables.ts");
  const { renderYaml } = await import("../../source/yaml/render-yaml.ts");
  const [filled] = await readDefinitions(context, [], { ...options, recurse: false });
  const text = renderYaml(escapeVariables({ id, ...filled?.definition }));
  return safe`${header}\n${text}`;
}
