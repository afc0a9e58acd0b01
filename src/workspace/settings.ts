// The table of settings, for precedence, the fields of a profile, `config show`, `login` and the check of unknown variables.
import { nearest, withSuggestion } from "../text/suggest.ts";

export interface Setting<T> {
  readonly value: T;
  /** As a user can find it: a flag, an environment variable, `file:line`, or `default`. */
  readonly origin: string;
}

interface SettingRow {
  readonly flag?: string;
  readonly variable?: string;
  /** `service`: belongs to the base URL, and `--profile` takes the variable away. `key`: a source of the key. */
  readonly inProfile?: "service" | "key" | "other";
}

/** The default name of the account header (spec 4.1, 5.2). */
export const defaultAccountHeader = "x-service-account";

/** In the order of `config show`. Of the sources of the key, the first one that is set counts. */
export const settings = {
  profile: { flag: "--profile", variable: "INCIDENT_CLI_PROFILE" },
  baseUrl: { variable: "INCIDENT_CLI_BASE_URL", inProfile: "service" },
  apiKey: { variable: "INCIDENT_CLI_API_KEY", inProfile: "key" },
  apiKeyFile: { variable: "INCIDENT_CLI_API_KEY_FILE", inProfile: "key" },
  apiKeyCommand: { inProfile: "key" },
  accountId: { flag: "--account", variable: "INCIDENT_CLI_ACCOUNT_ID", inProfile: "service" },
  accountHeader: { variable: "INCIDENT_CLI_ACCOUNT_HEADER", inProfile: "service" },
  webUrl: { variable: "INCIDENT_CLI_WEB_URL", inProfile: "service" },
  journal: { variable: "INCIDENT_CLI_JOURNAL", inProfile: "other" },
  stateDirectory: { variable: "INCIDENT_CLI_STATE_DIR" },
  sandboxPin: { variable: "INCIDENT_CLI_SANDBOX" },
} as const satisfies Record<string, SettingRow>;

type Table = typeof settings;
type SettingName = keyof Table;
type With<K extends keyof SettingRow> = {
  [N in SettingName]: Table[N] extends Record<K, unknown> ? N : never;
}[SettingName];

export type SettingWithVariable = With<"variable">;

export type ProfileField = With<"inProfile">;

/** The rows of `config show`: one for all sources of the key, and none for the pin. */
export type ShownSetting = Exclude<SettingName, "apiKeyFile" | "apiKeyCommand" | "sandboxPin">;

/** The table without the types of its rows. */
export const settingRows: Readonly<Record<string, SettingRow>> = settings;

export const environmentVariables = Object.fromEntries(
  Object.entries(settingRows).flatMap(([name, { variable }]) =>
    variable === undefined ? [] : [[name, variable]],
  ),
) as { readonly [N in SettingWithVariable]: Table[N]["variable"] };

/** The places that choose the header of the account, for a hint. */
export const accountHeaderPlaces = `${environmentVariables.accountHeader}, or accountHeader in the profile`;

/** A message for each variable that looks like the tool's, and has no effect: a misspelt journal would be none. */
export function tellUnknownVariables(env: Readonly<Record<string, string | undefined>>) {
  const known: readonly string[] = Object.values(environmentVariables);
  const set = Object.entries(env).flatMap(([name, value]) => (value ? [name] : []));
  const unknown = set.filter((name) => name.startsWith("INCIDENT_CLI_") && !known.includes(name));
  return unknown.map((name) =>
    withSuggestion(`incident knows no variable ${name}, so it has no effect`, nearest(name, known)),
  );
}
