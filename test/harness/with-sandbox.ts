// A sandbox on a socket, for commands in processes of their own.
import { serveSandbox } from "../../src/sandbox/server.ts";
import { createTestSandbox } from "../sandbox/test-sandbox.ts";
import { access, machineClock, temporaryFolder } from "./incident.ts";

/**
 * `use` gets the environment variables for commands, with the sandbox as the service and a temporary state directory. It
 * waits for no process synchronously: the sandbox is in this process.
 */
export async function withSandbox(
  use: (service: Readonly<Record<string, string>>) => Promise<void>,
  faults: readonly string[] = [],
): Promise<void> {
  const random = { guid: () => crypto.randomUUID() };
  const server = await serveSandbox(createTestSandbox({ ...access, clock: machineClock, random, faults }));
  try {
    await use({
      INCIDENT_CLI_BASE_URL: server.url,
      INCIDENT_CLI_API_KEY: access.apiKey,
      INCIDENT_CLI_ACCOUNT_ID: access.accountId,
      INCIDENT_CLI_STATE_DIR: temporaryFolder(),
      INCIDENT_CLI_JOURNAL: "folder",
    });
  } finally {
    await server.close();
  }
}
