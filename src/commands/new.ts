// `incident new`: writes a definition to start from, with a fresh id, a comment for each field, and the fields that only
// the contract of the service requires.
import { dirname, extname, join, resolve } from "node:path";
import type { Contract } from "../document/contract.ts";
import { definitionRules, fieldsOfIncident, fieldsOfUpdate } from "../incident/definition.ts";
import type { TextField } from "../incident/field.ts";
import { placeholder, severities, statuses } from "../incident/values.ts";
import { defineCommand, type Run } from "../kit/define-command.ts";
import { flag } from "../kit/flags.ts";
import { escapeLine, type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { writeNewFile } from "../platform/write-file.ts";
import { rulesOf } from "../rules/schema-facts.ts";
import { shellWord } from "../text/advice.ts";

export const spec = defineCommand({
  name: "new",
  operands: "[file]",
  completions: "files",
  flags: {
    file: flag.text("-f, --file <path>", "the file to write; -f can be left out", "files"),
  },
  result: "text",
  examples: {
    "incident new checkout.yaml": "a new file; an existing file is never overwritten",
    "incident new": "to stdout",
  },
});

/** The schema is in the folder of the definition, so that every project refers to it by the same line. */
const schemaFile = "incident.schema.json";
const header = safe`# yaml-language-server: $schema=./${schemaFile}`;

export const run: Run<typeof spec> = async (context, { operands: [operand], flags }) => {
  const named = flags.file ?? operand;
  // A name without an ending is no file that create or validate finds in a folder.
  const file = named === undefined || named === "-" || extname(named) !== "" ? named : `${named}.yaml`;
  const id = context.system.random.guid();
  const catalog = (await context.workspace.catalog()).read().services;
  const text = await renderSample(id, await context.workspace.contract(), [...catalog.keys()]);
  if (file === undefined || file === "-") return { is: "text", text };
  const path = resolve(context.system.cwd, file);
  writeNewFile(context.files, path, file, text);
  context.info(`wrote ${file}; replace each ${placeholder}, then: incident validate ${shellWord(file)}`);
  if (context.files.statSync(join(dirname(path), schemaFile), { throwIfNoEntry: false }) === undefined)
    context.info(`for help in your editor: incident schema > ${join(dirname(file), schemaFile)}`);
  return { is: "text", text: safe`` };
};

/** A definition to start from. */
async function renderSample(
  id: string,
  contract: Contract | undefined,
  catalog: readonly string[],
): Promise<SafeText> {
  const { added, lines, valuesOf } = await readRequirements(contract);
  const describe = (field: string) => escapeLine(rulesOf(definitionRules, field)?.description ?? "");
  const severity = valuesOf("severity", severities);
  const status = valuesOf("incidentUpdates[].status", statuses);
  const notes = safeLines(added.map((rule) => safe`#   ${escapeLine(rule)}`));
  return safe`${header}
# Replace each ${placeholder}: until then, this is no valid definition.
${notes === "" ? "" : safe`# The service requires:\n${notes}`}
# ${describe("id")}
id: ${escapeLine(id)}

# ${describe("name")}
name: ${placeholder}

# ${escapeLine(severity.join(", "))}
severity: ${escapeLine(severity.find((value) => value === "MAJOR") ?? severity[0] ?? "")}
${optionalLines(fieldsOfIncident, safe``)}
${serviceLines(catalog, describe("services"))}${catalog.length > 0 ? "" : lines("services[].", safe`    `)}
incidentUpdates:
  # ${escapeLine(status.join(", "))}
  - status: ${escapeLine(status[0] ?? "")}

    # ${describe("incidentUpdates[].description")}
    description: ${placeholder}

    # ${describe("incidentUpdates[].notifySubscribers")}
    notifySubscribers: false
${optionalLines(fieldsOfUpdate, safe`    `)}${lines("incidentUpdates[].", safe`    `)}${lines("", safe`\n`)}`;
}

/** The names of the catalog: the first one, and the others as comments; without a catalog, a service to fill in. */
function serviceLines(catalog: readonly string[], description: SafeText): SafeText {
  const [first, ...others] = catalog.map((name) => escapeLine(JSON.stringify(name)));
  if (first === undefined)
    return safe`# ${description} Its id and name,
# or its name in the catalog of this project: incident services list
services:
  - id: ${placeholder}
    name: ${placeholder}
`;
  return safe`# ${description} Their names in the catalog of this project
services:
  - ${first}
${safeLines(others.map((name) => safe`  # - ${name}`))}`;
}

/** A field that the sample can do without, as a comment. */
function optionalLines(fields: readonly TextField[], indent: SafeText): SafeText {
  const others = fields.filter(({ isRequired, name }) => !isRequired && name !== "status");
  return safeLines(
    others.flatMap(({ name, rules }) => [
      safe`\n${indent}# ${escapeLine(rules.description ?? "")}`,
      safe`${indent}# ${escapeLine(name)}: ${escapeLine(rules.enum?.join(" | ") ?? placeholder)}`,
    ]),
  );
}

/** The rules of the service's contract beside the built-in ones. */
async function readRequirements(contract: Contract | undefined) {
  const { listRules } = await import("../document/rules.ts");
  const { addedRules } = await import("../document/standing.ts");
  const body = contract?.create.body;
  const rules = body === undefined ? [] : addedRules(body);
  const lists = body === undefined ? [] : listRules(body).filter(({ keyword }) => keyword === "enum");
  // The account of the settings stands for a missing one.
  const required = rules
    .filter(({ field, keyword }) => keyword === "required" && field !== "services[].accountId")
    .map(({ field }) => field);
  return {
    added: rules.map(({ text }) => text),
    /** The lines for the required fields of a mapping that the sample does not have. `start`: `services[].` */
    lines: (start: string, indent: SafeText) => {
      const fields = required.filter((field) => field.startsWith(start));
      const names = fields.map((field) => field.slice(start.length)).filter((name) => !name.includes("."));
      return safeLines(names.map((name) => safe`${indent}${escapeLine(name)}: ${placeholder}`));
    },
    /** The values that both the tool and the service accept. */
    valuesOf: (field: string, builtIn: readonly string[]) => {
      const own = lists.filter((rule) => rule.field === field);
      const accepted = builtIn.filter((value) => own.every(({ schema }) => schema.enum?.includes(value)));
      return accepted.length > 0 ? accepted : builtIn;
    },
  };
}
