// Everything that a script may rely on, in fixtures/words/interface.txt: a line that goes away or changes is a breaking
// change. `npm run words -- -u` rewrites the file.
import { expect, it } from "vitest";
import { specs } from "../../src/cli/registry.ts";
import { outputSchema } from "../../src/commands/schema/output-schemas.ts";
import { explanations } from "../../src/explanations.ts";
import { exitCodes } from "../../src/failure.ts";
import { modesOf } from "../../src/kit/choose-format.ts";
import { describedOutputs } from "../../src/kit/formats.ts";
import { globalFlags } from "../../src/kit/global-flags.ts";
import { environmentVariables } from "../../src/workspace/environment-variables.ts";

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

const usages = (flags: Readonly<Record<string, { usage: string; choices?: readonly string[] }>>) =>
  Object.values(flags).map(({ usage, choices }) => (choices ? `${usage} (${choices.join(", ")})` : usage));

function section(title: string, lines: readonly string[]): string {
  return `${title}\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

it("the interface for scripts is that of fixtures/words/interface.txt", async () => {
  const text = [
    section(
      "exit codes",
      Object.entries(exitCodes).map(([kind, code]) => `${code} ${kind}`),
    ),
    section("variables", Object.values(environmentVariables)),
    section("flags of every command", usages(globalFlags)),
    ...specs.map((spec) =>
      section([`incident ${spec.name}`, spec.operands].filter(Boolean).join(" "), [
        ...usages(spec.flags),
        ...(spec.outputs.length > 0 ? [`-o ${spec.outputs.join(", ")}`] : []),
        ...modesOf(spec).map(({ flag, outputs }) => `${flag} -o ${outputs.join(", ")}`),
      ]),
    ),
    ...describedOutputs.map((name) => section(`${name} -o json`, fieldsOf(outputSchema(name) as Schema))),
    section("codes of diagnostics", Object.keys(explanations).sort()),
  ].join("\n");
  await expect(text).toMatchFileSnapshot("../../fixtures/words/interface.txt");
});
