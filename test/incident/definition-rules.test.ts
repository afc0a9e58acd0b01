// The rules of a definition as data, beside the zod schema that is made of them.
import { expect, it } from "vitest";
import { definitionRules } from "../../src/incident/definition.ts";
import { definitionSchema } from "../../src/incident/definition-schema.ts";
import { factsOf } from "../../src/rules/schema.ts";

it("the rules of a definition are the facts of their zod schema, with which messages are written", () => {
  expect(factsOf(definitionSchema)).toEqual(definitionRules);
});
