// The text of a definition to start from: a comment for each field, and the fields that only the service's contract
// requires.

import { definitionRules } from "../../incident/definition.ts";
import { placeholder, severities, statuses } from "../../incident/values.ts";
import { type SafeText, safe, safeLines } from "../../platform/terminal/safe-text.ts";
import type { Contract } from "../../rules/openapi/contract.ts";
import type { RuleSchema } from "../../rules/rule-schema.ts";
import { rulesOf } from "../../rules/schema-facts.ts";
import { escapeLine } from "../../view/terminal/escape.ts";

export interface SampleOptions {
  readonly id: string;
  /** The first line, for editors. */
  readonly header: SafeText;
  readonly contract: Contract | undefined;
}

export async function renderSample({ id, header, contract }: SampleOptions): Promise<SafeText> {
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

# ${describe("services")} Its id and name,
# or its name in the catalog of this project: incident services list
services:
  - id: ${placeholder}
    name: ${placeholder}
${lines("services[]", safe`    `)}
incidentUpdates:
  # ${escapeLine(status.join(", "))}
  - status: ${escapeLine(status[0] ?? "")}

    # ${describe("incidentUpdates[].description")}
    description: ${placeholder}

    # ${describe("incidentUpdates[].notifySubscribers")}
    notifySubscribers: false
${lines("incidentUpdates[]", safe`    `)}${lines("", safe``)}`;
}

interface Requirements {
  /** The rules beside the built-in ones, in words. */
  readonly added: readonly string[];
  /** The lines for the required fields of a mapping that the sample does not have. */
  lines(field: string, indent: SafeText): SafeText;
  /** The values that both the tool and the service accept. */
  valuesOf(field: string, builtIn: readonly string[]): readonly string[];
}

async function readRequirements(contract: Contract | undefined): Promise<Requirements> {
  const body = contract?.create.body;
  if (contract === undefined || body === undefined)
    return { added: [], lines: () => safe``, valuesOf: (_, builtIn) => builtIn };
  const { listRules } = await import("../../rules/list-rules.ts");
  const { isBuiltIn, ownRules } = await import("../../incident/contract/sent-fields.ts");
  const all = listRules(body, contract.create.at).filter(({ field }) => ownRules(field) !== undefined);
  const rules = all.filter((rule) => !isBuiltIn(rule));
  // The account of the settings stands for a missing one.
  const required = rules.filter(
    ({ field, keyword }) => keyword === "required" && field !== "services[].accountId",
  );
  return {
    added: rules.map(({ text }) => text),
    lines: (parent, indent) => {
      const fields = required
        .map(({ field }) => ({ field, name: nameOf(field) }))
        .filter(({ field, name }) => field === (parent === "" ? name : `${parent}.${name}`));
      const start = indent === "" ? safe`\n` : indent;
      return safeLines(fields.map(({ name }) => safe`${start}${escapeLine(name)}: ${placeholder}`));
    },
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
