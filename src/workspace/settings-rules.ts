// The rules of the two settings files: the user's own, and that of a project.
import { consentModes } from "../incident/values.ts";
import { filled, listOf, listOrNone, mappingWith, oneOf, recordOf, text } from "../rules/build.ts";
import type { RuleSchema, RulesValue } from "../rules/rule-schema.ts";
import type { ProfileField } from "./settings.ts";

const profileFields = {
  baseUrl: filled(),
  accountId: text("x-uuid-or-none"),
  apiKey: filled(),
  apiKeyFile: filled(),
  apiKeyCommand: listOf(filled()),
  accountHeader: filled(),
  journal: filled(),
  confirm: oneOf(consentModes),
  webUrl: filled(),
} satisfies Record<ProfileField, RuleSchema>;

/** It is checked where it is used: only a definition that names a service needs it. */
const anything: RuleSchema = {};

const profile = mappingWith({ ...profileFields, services: anything });

export const userSettingsRules = mappingWith({ defaultProfile: filled(), profiles: recordOf(profile) });

export const projectSettingsRules = mappingWith({
  profile: filled(),
  definitions: listOrNone(filled()),
  templates: filled(),
  services: anything,
  policy: anything,
});

export type ProfileFields = RulesValue<typeof profile>;
export type UserSettingsFields = RulesValue<typeof userSettingsRules>;
