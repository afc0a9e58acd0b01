// The table of settings. From it come precedence, the fields of a profile and their rules, `config show`, `login`, what a
// project's file must not have, the check of unknown variables, and `incident help environment`.
import { consentModes } from "../incident/values.ts";
import { filled, listOf, listOrNone, mappingWith, oneOf, recordOf, text } from "../rules/build.ts";
import type { RuleSchema, RulesValue } from "../rules/rule-schema.ts";

interface SettingRow {
  /** The words of the list of variables. */
  readonly summary: string;
  readonly flag?: string;
  readonly variable?: string;
  /** Of a field of a profile. */
  readonly rules?: RuleSchema;
  /** Why a project's file, which anyone can change with a pull request, must not have the field. */
  readonly risk?: string;
  /**
   * `service`: it belongs to the base URL, and `--profile` takes the variable away. `key`: a source of the key.
   */
  readonly of?: "service" | "key";
  readonly byDefault?: string;
}

/** The default name of the account header (spec 4.1, 5.2). */
export const defaultAccountHeader = "x-service-account";

/** In the order of `config show`. */
export const settings = {
  profile: {
    summary: "the profile of the settings file to use",
    flag: "--profile",
    variable: "INCIDENT_CLI_PROFILE",
  },
  baseUrl: {
    summary: "the service, such as https://api.example.com",
    variable: "INCIDENT_CLI_BASE_URL",
    rules: filled(),
    risk: "could redirect a stored key",
    of: "service",
  },
  apiKey: {
    summary: "the key",
    variable: "INCIDENT_CLI_API_KEY",
    rules: filled(),
    risk: "would be read by everyone who can read the project",
    of: "key",
  },
  apiKeyFile: {
    summary: "a file with the key, readable by you alone",
    variable: "INCIDENT_CLI_API_KEY_FILE",
    rules: filled(),
    risk: "could send another file's content away",
    of: "key",
  },
  apiKeyCommand: {
    summary: 'a program that prints the key, and its arguments, as JSON: ["vault","read"]',
    variable: "INCIDENT_CLI_API_KEY_COMMAND",
    rules: listOf(filled()),
    risk: "could run a stranger's command",
    of: "key",
  },
  accountId: {
    summary: "the account, a GUID; none sends no account",
    flag: "--account",
    variable: "INCIDENT_CLI_ACCOUNT_ID",
    rules: text("x-uuid-or-none"),
    risk: "could act for another account",
    of: "service",
  },
  accountHeader: {
    summary: `the header that names the account, if it is not ${defaultAccountHeader}`,
    variable: "INCIDENT_CLI_ACCOUNT_HEADER",
    rules: filled(),
    risk: "could change what is sent with a stored key",
    of: "service",
    byDefault: defaultAccountHeader,
  },
  webUrl: {
    summary: "the address of an incident in the web application, with {id}",
    variable: "INCIDENT_CLI_WEB_URL",
    rules: filled(),
    risk: "could lead people who follow it to another site",
    of: "service",
  },
  journal: {
    summary: "a journal that several machines share, such as git:",
    variable: "INCIDENT_CLI_JOURNAL",
    rules: filled(),
    risk: "could have an incident sent twice",
    byDefault: "folder",
  },
  confirm: {
    summary: "which creates need --confirm: never, notify or always; never less than elsewhere",
    variable: "INCIDENT_CLI_CONFIRM",
    rules: oneOf(consentModes),
    risk: "stands under policy in a project's file",
  },
  stateDirectory: {
    summary: "where the local journal is kept",
    variable: "INCIDENT_CLI_STATE_DIR",
  },
  timeout: { summary: "the time limit of one request", flag: "--timeout", byDefault: "30s" },
  rate: {
    summary: "the share of the service's limit for this process, such as 100/60s",
    variable: "INCIDENT_CLI_RATE",
    // Spec 8.
    byDefault: "600/60s",
  },
  sandboxPin: {
    summary: "set in a rehearsal: the only base URL that is allowed",
    variable: "INCIDENT_CLI_SANDBOX",
  },
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
