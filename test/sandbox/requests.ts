// Builders for tests: a sandbox with a fixed key, account and clock, and requests to it.
import type { Sandbox } from "../../src/sandbox/app.ts";
import type { ReceivedRequest } from "../../src/sandbox/route.ts";
import { createRandom } from "../harness/incident.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createTestSandbox, type TestSandboxOptions } from "./test-sandbox.ts";

export const apiKey = "sandbox-key-0001";
export const accountId = "2f1b7c1e-0d3a-4a5e-9b58-6a1f5f0c7d11";
export const incidentsPath = "/v1/status-pages/incidents";
export const incidentId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
export const serviceId = "0b6d3c52-1a8f-4d7c-8a34-51f1b2c90e77";

/** A create body with only the required fields. */
export const createBody = {
  name: "Checkout fails for some customers",
  severity: "MAJOR",
  services: [{ name: "Checkout", id: serviceId, accountId }],
  incidentUpdates: [{ description: "We are looking into failed payments." }],
};

export type TestOptions = Partial<TestSandboxOptions>;

const usual = { apiKey, accountId, onlySpec: true };

/** The sandbox has the two operations of the spec; `{ onlySpec: false }` gives it all of them. */
export function openSandbox(options: TestOptions = {}): { sandbox: Sandbox; clock: ManualClock } {
  const clock = createManualClock();
  const sandbox = createTestSandbox({ ...usual, clock, random: createRandom(), ...options });
  return { sandbox, clock };
}

const access = { authorization: `Bearer ${apiKey}`, "x-service-account": accountId };

/** A create request. A `body` that is neither text nor bytes is sent as JSON. */
export function createRequest(body: unknown = createBody, base = "http://sandbox.test"): ReceivedRequest {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  return {
    method: "POST",
    url: base + incidentsPath,
    headers: { ...access, "content-type": "application/json" },
    body: isRaw ? body : JSON.stringify(body),
  };
}

export function getRequest(path: string, base = "http://sandbox.test"): ReceivedRequest {
  return { method: "GET", url: base + path, headers: access };
}

/** A request with a JSON body, such as an edit (PUT). */
export const bodyRequest = (method: string, path: string, body: unknown, base?: string): ReceivedRequest => ({
  ...createRequest(body, base),
  ...{ method, url: getRequest(path, base).url },
});

export const readRequest = (id: string, base?: string) => getRequest(`${incidentsPath}/${id}`, base);
