// The fields of each output with their paths and types: for fixtures/words/interface.txt, and for people in
// docs/commands.md.
import { outputSchema, outputs } from "./output-schemas.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
}

/** Each field of a schema with its path and its type; `?` marks one that can be missing. */
function fieldsOf(schema: Schema, path = ""): readonly string[] {
  const type = schema.enum?.join(" | ") ?? schema.const ?? [schema.type ?? []].flat().join(" | ");
  return [
    ...(path === "" || schema.anyOf ? [] : [`${path}: ${type === "" ? "anything" : type}`]),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      fieldsOf(field, `${path}.${name}${schema.required?.includes(name) ? "" : "?"}`),
    ),
    ...(schema.items ? fieldsOf(schema.items, `${path}[]`) : []),
    ...(schema.additionalProperties ? fieldsOf(schema.additionalProperties, `${path}.*`) : []),
    ...(schema.anyOf ?? []).flatMap((each) => fieldsOf(each, path)),
  ];
}

/** By the name of the output. */
export function outputFields(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.keys(outputs)
      .sort()
      .map((name) => [name, fieldsOf(outputSchema(name) as Schema)]),
  );
}

const changed =
  "`how`: this run `posted` the update, or `edited` the incident. `posted-before` and `edited-before`: the incident had it, and nothing was sent.";

/** What the names of the fields do not say. */
const meanings: Readonly<Record<string, string>> = {
  apply:
    "`action` is the plan, and `result` what was done. `edits` are the changed fields, with the value that the service had (`found`), and `posted` counts the updates. `differences` stay ([exit code 11](updates.md#a-file-is-a-timeline)). `resolved` means `unchanged`, of an incident that is over. `serviceId` is the incident's id, if it differs from that of the file.",
  create:
    "`how` is missing where this run or an earlier one declared the incident, without `--dedup-key`. [Alerts](alerts.md) explains the values.",
  error: "`retryable`: nothing was published, and the same command can succeed later.",
  gate: "Go by the exit code: `blocked` is `false` also where `unknown` has what could not be read. `incidents` are those that block, and `known` counts all that were looked at.",
  "journal-list":
    "`change` is missing for a create. `id` is the one that was sent, or that the journal gave to an update or an edit; `serviceId` is that of the incident or the update at the service. `state` is the outcome: `created` is also that of an update or an edit. `status` is the last status that is known here.",
  resolve: changed,
  update: changed,
};

/** The part of docs/commands.md that follows the commands. */
export function renderOutputFields(): string {
  const parts = [...outputFields()].map(([name, fields]) => {
    const meaning = meanings[name] === undefined ? "" : `${meanings[name]}\n\n`;
    return `### ${name.replaceAll("-", " ")} -o json\n\n${meaning}\`\`\`text\n${fields.join("\n")}\n\`\`\`\n`;
  });
  return `
## Fields of -o json

\`?\` marks a field that can be missing, \`[]\` each entry of a list, and \`.*\` each value of a mapping. Where an output has two forms, both are listed: it is an array where several are asked for. \`preview\` is what \`create\`, \`update\` and \`resolve\` print with \`--dry-run\`: an empty list where nothing would be sent. Stderr has a \`warning\` on a line, and after a failure the \`error\` on its last line. An incident is the answer of the service, with every field that it sends.

${parts.join("\n")}`;
}
