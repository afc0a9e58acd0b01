// The rules of the two settings files, as zod schemas: the user's own, and that of a project.
import * as z from "zod/mini";
import { consentModes } from "../incident/values.ts";
import { atLeast, text } from "../rules/schema.ts";
import type { ProfileField } from "./settings.ts";

const filled = z.string().check(atLeast(1));

const profileFields = {
  baseUrl: z.optional(filled),
  accountId: z.optional(text("x-uuid-or-none")),
  apiKey: z.optional(filled),
  apiKeyFile: z.optional(filled),
  apiKeyCommand: z.optional(z.array(filled).check(atLeast(1))),
  accountHeader: z.optional(filled),
  journal: z.optional(filled),
  confirm: z.optional(z.enum(consentModes)),
  webUrl: z.optional(filled),
} satisfies Record<ProfileField, z.ZodMiniType>;

// The services are checked where they are used: only a definition that names one needs them.
const profile = z.strictObject({ ...profileFields, services: z.optional(z.unknown()) });

export const userSettingsSchema = z.strictObject({
  defaultProfile: z.optional(filled),
  profiles: z.optional(z.record(z.string(), profile)),
});

export const projectSettingsSchema = z.strictObject({
  profile: z.optional(filled),
  definitions: z.optional(z.array(filled)),
  templates: z.optional(filled),
  // Checked where they are used.
  services: z.optional(z.unknown()),
  policy: z.optional(z.unknown()),
});

export type ProfileFields = z.infer<typeof profile>;
export type UserSettingsFields = z.infer<typeof userSettingsSchema>;
