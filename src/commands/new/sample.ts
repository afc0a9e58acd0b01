// The text of a definition to start from: a comment for each field, and what the service's contract requires beside
// the built-in rules.
import type { Contract, RuleSchema } from "../../contract/contract.ts";
import { definitionSchema, severities, statuses } from "../../incident/definition.ts";
import { placeholder } from "../../incident/rules.ts";
import { metaOf } from "../../incident/with-meta.ts";

export interface SampleOptions {
  readonly id: string;
  /** The first line, for editors. */
  readonly header: string;
  readonly contract: Contract | undefined;
}

export async function renderSample({ id, header, contract }: SampleOptions): Promise<string> {
  const { added, lines, valuesOf } = await readRequirements(contract);
  const { name, services, id: idField, incidentUpdates } = definitionSchema.shape;
  const update = incidentUpdates.def.element.shape;
  const describe = (schema: Parameters<typeof metaOf>[0]) => metaOf(schema).description;
  const severity = valuesOf("severity", severities);
  const status = valuesOf("incidentUpdates[].status", statuses);
  const notes = added.map((rule) => `#   ${rule}\n`).join("");
  return `${header}
# Replace each ${placeholder}: until then, this is no valid definition.
${notes === "" ? "" : `# The service requires:\n${notes}`}
# ${describe(idField)}
id: ${id}

# ${describe(name)}
name: ${placeholder}

# ${severity.join(", ")}
severity: ${severity.includes("MAJOR") ? "MAJOR" : severity[0]}

# ${describe(services)} Its id and name,
# or its name in the catalog of this project: incident services list
services:
  - id: ${placeholder}
    name: ${placeholder}
${lines("services[]", "    ")}
incidentUpdates:
  # ${status.join(", ")}
  - status: ${status[0]}

    # ${describe(update.description)}
    description: ${placeholder}

    # ${describe(update.notifySubscribers)}
    notifySubscribers: false
${lines("incidentUpdates[]", "    ")}${lines("", "")}`;
}

interface Requirements {
  /** The rules beside the built-in ones, in words. */
  readonly added: readonly string[];
  /** The lines for the required fields of a mapping that the sample does not have. */
  lines(field: string, indent: string): string;
  /** The values that both the tool and the service accept. */
  valuesOf(field: string, builtIn: readonly string[]): readonly string[];
}

async function readRequirements(contract: Contract | undefined): Promise<Requirements> {
  const body = contract?.create.body;
  if (contract === undefined || body === undefined)
    return { added: [], lines: () => "", valuesOf: (_, builtIn) => builtIn };
  const { listRules } = await import("../../contract/rules.ts");
  const { isBuiltIn, isSentField } = await import("../../contract/built-in-rules.ts");
  const all = listRules(body, contract.create.at).filter(({ field }) => isSentField(field));
  const rules = all.filter((rule) => !isBuiltIn(rule));
  // The account of the settings stands for a missing one.
  const required = rules.filter(
    ({ field, keyword }) => keyword === "required" && field !== "services[].accountId",
  );
  return {
    added: rules.map(({ text }) => text),
    lines: (parent, indent) =>
      required
        .filter(({ field }) => field === (parent === "" ? nameOf(field) : `${parent}.${nameOf(field)}`))
        .map(({ field }) => `${indent === "" ? "\n" : ""}${indent}${nameOf(field)}: ${placeholder}\n`)
        .join(""),
    valuesOf: (field, builtIn) => {
      const lists = all.filter((rule) => rule.field === field && rule.keyword === "enum");
      const accepted = builtIn.filter((value) => lists.every(({ schema }) => hasValue(schema, value)));
      return accepted.length > 0 ? accepted : builtIn;
    },
  };
}

function hasValue({ enum: values = [] }: RuleSchema, value: string): boolean {
  return values.includes(value);
}

function nameOf(field: string): string {
  return field.slice(field.lastIndexOf(".") + 1);
}
