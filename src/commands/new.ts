// `incident new`: writes a definition to start from, with a fresh id and a comment for each field.
import { dirname, join, resolve } from "node:path";
import { Failure } from "../failure.ts";
import { fieldAt, incidentTextFields, type TextField, updateTextFields } from "../incident/definition.ts";
import { placeholder, severities, statuses } from "../incident/values.ts";
import type { CommandSpec, Run } from "../kit/command.ts";
import { flag } from "../kit/flags.ts";
import { escapeLine, type SafeText, safe, safeLines } from "../platform/terminal/safe-text.ts";
import { writeNamedFile } from "../platform/write-file.ts";
import { shellWord } from "../text/advice.ts";

export const spec = {
  operands: "[file]",
  flags: {
    file: flag.text("-f, --file <path>", "the file to write; -f can be left out"),
  },
  result: "text",
  examples: {
    "incident new checkout.yaml": "a new file; an existing file is never overwritten",
    "incident new": "to stdout",
  },
} as const satisfies CommandSpec;

/** The schema is in the folder of the definition, so that every project refers to it by the same line. */
const schemaFile = "incident.schema.json";

export const run: Run<typeof spec> = async (context, { operands: [operand], flags }) => {
  const named = flags.file ?? operand ?? "-";
  const there = context.files.statSync(resolve(context.system.cwd, named), { throwIfNoEntry: false });
  if (/(?:^|\/)\.{0,2}$/.test(named) || there?.isDirectory())
    throw new Failure("usage", `${named} is a folder`, {
      hint: `name a file in it: ${join(named, "checkout.yaml")}`,
    });
  // It is YAML, and create and validate find a file in a folder by its ending.
  const file = named === "-" || /\.ya?ml$/i.test(named) ? named : `${named}.yaml`;
  const id = context.system.random.guid();
  const catalog = (await context.workspace.project()).services;
  const text = renderSample(id, [...catalog.keys()]);
  if (file === "-") return { prints: { text: () => text } };
  const path = resolve(context.system.cwd, file);
  writeNamedFile(context, file, text, { isNew: true });
  context.info(`wrote ${file}; replace each ${placeholder}, then: incident validate -f ${shellWord(file)}`);
  if (context.files.statSync(join(dirname(path), schemaFile), { throwIfNoEntry: false }) === undefined)
    context.info(`for help in your editor: incident schema > ${shellWord(join(dirname(file), schemaFile))}`);
  return { prints: { text: () => safe`` } };
};

function renderSample(id: string, catalog: readonly string[]): SafeText {
  const describe = (field: string) => escapeLine(fieldAt(field)?.description ?? "");
  return safe`# yaml-language-server: $schema=./${schemaFile}
# Replace each ${placeholder}: until then, this is no valid definition.

# ${describe("id")}
id: ${escapeLine(id)}

# ${describe("name")}
name: ${placeholder}

# ${escapeLine(severities.join(", "))}
severity: MAJOR
${optionalLines(incidentTextFields, safe``)}
${serviceLines(catalog, describe("services"))}
incidentUpdates:
  # ${escapeLine(statuses.join(", "))}
  - status: ${statuses[0]}

    # ${describe("incidentUpdates[].description")}
    description: ${placeholder}

    # ${describe("incidentUpdates[].notifySubscribers")}
    notifySubscribers: false
${optionalLines(updateTextFields, safe`    `)}`;
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
    others.flatMap(({ description, name, values }) => [
      safe`\n${indent}# ${escapeLine(description)}`,
      safe`${indent}# ${escapeLine(name)}: ${escapeLine(values?.join(" | ") ?? placeholder)}`,
    ]),
  );
}
