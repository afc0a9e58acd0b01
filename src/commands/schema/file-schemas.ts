// The JSON Schemas of the files that a person writes, from the schemas that check them.
import {
  definitionJsonSchema,
  jsonSchemaOf,
  projectJsonSchema,
  templateJsonSchema,
} from "../../incident/json-schema.ts";
import { userSettingsSchema } from "../../settings/profiles.ts";
import { projectSettingsSchema } from "../../settings/project-settings.ts";
import { scenarioSchema } from "../sandbox/scenario.ts";
import type { writtenFiles } from "./spec.ts";

export const fileSchemas = {
  definition: definitionJsonSchema,
  template: templateJsonSchema,
  project: () => projectJsonSchema(projectSettingsSchema),
  profile: () => jsonSchemaOf("Settings of incident for a user (config.yaml)", userSettingsSchema),
  scenario: () => jsonSchemaOf("A scenario of incident sandbox", scenarioSchema),
} as const satisfies Record<(typeof writtenFiles)[number], () => object>;
