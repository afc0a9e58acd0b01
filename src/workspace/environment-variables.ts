// The names of the environment variables that configure the tool.

export const environmentVariables = {
  apiKey: "INCIDENT_CLI_API_KEY",
  apiKeyFile: "INCIDENT_CLI_API_KEY_FILE",
  apiKeyCommand: "INCIDENT_CLI_API_KEY_COMMAND",
  account: "INCIDENT_CLI_ACCOUNT_ID",
  accountHeader: "INCIDENT_CLI_ACCOUNT_HEADER",
  baseUrl: "INCIDENT_CLI_BASE_URL",
  profile: "INCIDENT_CLI_PROFILE",
  webUrl: "INCIDENT_CLI_WEB_URL",
  stateDirectory: "INCIDENT_CLI_STATE_DIR",
  journal: "INCIDENT_CLI_JOURNAL",
  confirm: "INCIDENT_CLI_CONFIRM",
  rate: "INCIDENT_CLI_RATE",
  sandboxPin: "INCIDENT_CLI_SANDBOX",
} as const;

/** The places that choose the header of the account, for a hint. */
export const accountHeaderPlaces = `${environmentVariables.accountHeader}, or accountHeader in the profile`;

const prefix = "INCIDENT_CLI_";

/** The variables that look like the tool's, and that it does not read: a misspelt journal has no effect at all. */
export function findUnknownVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known: readonly string[] = Object.values(environmentVariables);
  return Object.entries(env).flatMap(([name, value]) =>
    name.startsWith(prefix) && value && !known.includes(name) ? [name] : [],
  );
}
