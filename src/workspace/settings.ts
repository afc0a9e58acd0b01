// The table of settings. From it come precedence, the fields of a profile and their rules, `config show`, `login` and the
// check of unknown variables.
import { consentModes } from "../incident/values.ts";
import { filled, listOf, listOrNone, mappingWith, oneOf, recordOf, text } from "../rules/build.ts";
import type { RuleSchema, RulesValue } from "../rules/rule-schema.ts";

interface SettingRow {
  readonly flag?: string;
  readonly variable?: string;
  /** Of a field of a profile. */
  readonly rules?: RuleSchema;
  /**
   * `service`: it belongs to the base URL, and `--profile` takes the variable away. `key`: a source of the key.
   */
  readonly of?: "service" | "key";
  readonly byDefault?: string;
}

/** The default name of the account header (spec 4.1, 5.2). */
export const defaultAccountHeader = "x-service-account";

/** In the order of `config show`. Of the sources of the key, the first one that is set counts. */
export const settings = {
  profile: { flag: "--profile", variable: "INCIDENT_CLI_PROFILE" },
  baseUrl: { variable: "INCIDENT_CLI_BASE_URL", rules: filled(), of: "service" },
  apiKey: { variable: "INCIDENT_CLI_API_KEY", rules: filled(), of: "key" },
  apiKeyFile: { variable: "INCIDENT_CLI_API_KEY_FILE", rules: filled(), of: "key" },
  apiKeyCommand: { variable: "INCIDENT_CLI_API_KEY_COMMAND", rules: listOf(filled()), of: "key" },
  accountId: {
    flag: "--account",
    variable: "INCIDENT_CLI_ACCOUNT_ID",
    rules: text("x-uuid-or-none"),
    of: "service",
  },
  accountHeader: {
    variable: "INCIDENT_CLI_ACCOUNT_HEADER",
    rules: filled(),
    of: "service",
    byDefault: defaultAccountHeader,
  },
  webUrl: { variable: "INCIDENT_CLI_WEB_URL", rules: filled(), of: "service" },
  journal: { variable: "INCIDENT_CLI_JOURNAL", rules: filled(), byDefault: "folder" },
  confirm: { variable: "INCIDENT_CLI_CONFIRM", rules: oneOf(consentModes) },
  stateDirectory: { variable: "INCIDENT_CLI_STATE_DIR" },
  timeout: { flag: "--timeout", byDefault: "30s" },
  // Spec 8.
  rate: { variable: "INCIDENT_CLI_RATE", byDefault: "600/60s" },
  sandboxPin: { variable: "INCIDENT_CLI_SANDBOX" },
} as const satisfies Record<string, SettingRow>;

type Table = typeof settings;
export type SettingName = keyof Table;
type With<K extends keyof SettingRow> = {
  [N in SettingName]: Table[N] extends Record<K, unknown> ? N : never;
}[SettingName];

export type SettingWithVariable = With<"variable">;

/** The fields of a profile, beside its services. */
export type ProfileField = With<"rules">;

export type ProfileFields = { readonly [N in ProfileField]?: RulesValue<Table[N]["rules"]> | undefined } & {
  readonly services?: unknown;
};

/** Those that `config show` lists: one line for all sources of the key, and none for the pin. */
export type ShownSetting = Exclude<SettingName, "apiKeyFile" | "apiKeyCommand" | "sandboxPin">;

/** The table without the types of its rows. */
export const settingRows: Readonly<Record<string, SettingRow>> = settings;

/** It is checked where it is used: only a definition that names a service needs it. */
const anything: RuleSchema = {};

const profileRules = Object.fromEntries(
  Object.entries(settingRows).flatMap(([name, { rules }]) => (rules === undefined ? [] : [[name, rules]])),
) as { readonly [N in ProfileField]: Table[N]["rules"] };

export const userSettingsRules = mappingWith({
  defaultProfile: filled(),
  profiles: recordOf(mappingWith({ ...profileRules, services: anything })),
});

/** Anyone can change a project's file with a pull request: it has no field that directs a key, or runs a command. */
export const projectSettingsRules = mappingWith({
  profile: filled(),
  definitions: listOrNone(filled()),
  templates: filled(),
  services: anything,
  policy: anything,
});

export const environmentVariables = Object.fromEntries(
  Object.entries(settingRows).flatMap(([name, { variable }]) =>
    variable === undefined ? [] : [[name, variable]],
  ),
) as { readonly [N in SettingWithVariable]: Table[N]["variable"] };

/** The places that choose the header of the account, for a hint. */
export const accountHeaderPlaces = `${environmentVariables.accountHeader}, or accountHeader in the profile`;

/** The variables that look like the tool's, and that it does not read: a misspelt journal has no effect at all. */
export function findUnknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known: readonly string[] = Object.values(environmentVariables);
  return Object.entries(env).flatMap(([name, value]) =>
    name.startsWith("INCIDENT_CLI_") && value && !known.includes(name) ? [name] : [],
  );
}

export async function describeUnknownVariable(name: string): Promise<string> {
  const { nearest, withSuggestion } = await import("../text/suggest.ts");
  const meant = nearest(name, Object.values(environmentVariables));
  return withSuggestion(`incident knows no variable ${name}, so it has no effect`, meant);
}
