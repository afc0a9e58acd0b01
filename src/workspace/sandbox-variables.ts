// The environment variables that make a command use a sandbox.
import { environmentVariables } from "./environment-variables.ts";

interface SandboxAccess {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly accountId: string;
}

export function sandboxVariables({ apiUrl, apiKey, accountId }: SandboxAccess): Record<string, string> {
  return {
    [environmentVariables.baseUrl]: apiUrl,
    [environmentVariables.apiKey]: apiKey,
    [environmentVariables.account]: accountId,
  };
}

/** Pins a child process to the sandbox, with a journal of its own in the folder `state`. */
export function rehearsalVariables(access: SandboxAccess, state: string): Record<string, string> {
  return {
    ...sandboxVariables(access),
    [environmentVariables.sandboxPin]: access.apiUrl,
    [environmentVariables.stateDirectory]: state,
    [environmentVariables.journal]: "folder",
    // A profile, a key file or a web application of the environment belongs to another service.
    [environmentVariables.profile]: "",
    [environmentVariables.apiKeyFile]: "",
    [environmentVariables.webUrl]: "",
  };
}
