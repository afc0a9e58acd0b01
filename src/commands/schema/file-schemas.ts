// The JSON Schemas of the files that a person writes, from the schemas that check them.
import * as z from "zod/mini";
import { catalogSchema } from "../../incident/definition.ts";
import {
  definitionJsonSchema,
  forEditors,
  type JsonSchema,
  templateJsonSchema,
} from "../../incident/json-schema.ts";
import { policySchema } from "../../incident/policy.ts";
import { userSettingsSchema } from "../../settings/profiles.ts";
import { projectSettingsSchema } from "../../settings/project-settings.ts";
import { scenarioSchema } from "../sandbox/scenario.ts";
import type { writtenFiles } from "./spec.ts";

const project = z.extend(projectSettingsSchema, {
  services: z.optional(catalogSchema),
  policy: z.optional(policySchema),
});

/** Draft 7, which the YAML support of every editor reads. */
const schemaOf = (title: string, schema: z.core.$ZodType): object => ({
  title,
  ...forEditors(z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as JsonSchema),
});

export const fileSchemas = {
  definition: definitionJsonSchema,
  template: templateJsonSchema,
  project: () => schemaOf("Settings of incident for a project (.incident.yaml)", project),
  profile: () => schemaOf("Settings of incident for a user (config.yaml)", userSettingsSchema),
  scenario: () => schemaOf("A scenario of incident sandbox", scenarioSchema),
} as const satisfies Record<(typeof writtenFiles)[number], () => object>;
