// The sandbox as a program with a rate limit of its own: `[requests] [seconds]`, by default those of the API. Prints the
// variables of a client as one line of JSON, and then a line for each answer with 429.
import { setTimeout as sleep } from "node:timers/promises";
import { createSandbox } from "../../src/sandbox/app.ts";
import { serveSandbox } from "../../src/sandbox/server.ts";

const [requests = 600, seconds = 60] = process.argv.slice(2).map(Number);
const access = { apiKey: "sandbox-key-0123456789", accountId: "11111111-2222-4333-8444-555555555555" };
const sandbox = createSandbox({
  ...access,
  clock: { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds) },
  random: { guid: () => globalThis.crypto.randomUUID() },
  rateLimit: { requests, seconds },
  onRequest({ status }) {
    if (status === 429) process.stdout.write("429\n");
  },
});
const { url } = await serveSandbox(sandbox);
const env = {
  INCIDENT_CLI_BASE_URL: url,
  INCIDENT_CLI_API_KEY: access.apiKey,
  INCIDENT_CLI_ACCOUNT_ID: access.accountId,
};
process.stdout.write(`${JSON.stringify(env)}\n`);
