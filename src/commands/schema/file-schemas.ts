// The JSON Schemas of the files that a person writes, from the schemas that check them.
import {
  definitionJsonSchema,
  jsonSchemaOf,
  projectJsonSchema,
  templateJsonSchema,
} from "../../incident/json-schema.ts";
import { projectSettingsRules, userSettingsRules } from "../../workspace/settings-rules.ts";
import { scenarioRules } from "../sandbox/scenario-rules.ts";
import type { writtenFiles } from "./spec.ts";

export const fileSchemas = {
  definition: definitionJsonSchema,
  template: templateJsonSchema,
  project: () => projectJsonSchema(projectSettingsRules),
  profile: () => jsonSchemaOf("Settings of incident for a user (config.yaml)", userSettingsRules),
  scenario: () => jsonSchemaOf("A scenario of incident sandbox", scenarioRules),
} as const satisfies Record<(typeof writtenFiles)[number], () => object>;
