// The values that many tests share: settings, ids, a valid definition as data and as YAML, and answers of the service.
import type { Answered } from "../../src/http/transport.ts";
import type { Definition } from "../../src/incident/definition.ts";

/** The settings of the harness and of its sandbox. */
export const access = {
  baseUrl: "http://127.0.0.1:1",
  apiKey: "test-key-0123456789abcdef",
  accountId: "11111111-2222-4333-8444-555555555555",
} as const;

export const setting = <T>(value: T) => ({ value, origin: "test" });

/** The settings of a client. */
export const clientSettings = {
  baseUrl: setting(access.baseUrl),
  account: setting(access.accountId),
  accountHeader: setting("x-service-account"),
  apiKey: setting(access.apiKey),
  webUrl: undefined,
};

/** Variables that take the settings away. */
export const unset = {
  INCIDENT_CLI_BASE_URL: undefined,
  INCIDENT_CLI_API_KEY: undefined,
  INCIDENT_CLI_ACCOUNT_ID: undefined,
  INCIDENT_CLI_ACCOUNT_HEADER: undefined,
};

/** The settings of the user, below the folder of the world. */
export const config = "home/.config/incident-cli/config.yaml";

export const terminal = { stdin: true, stdout: true, stderr: true };

export const incidentId = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
/** A readable id for the definition with this number. */
export const numberedId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

export const serviceId = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";

export const service = { name: "Checkout", id: serviceId };
/** The service in YAML, as a flow mapping. */
export const serviceYaml = `{ name: Checkout, id: ${serviceId} }`;

/** A valid definition. */
export function definition(fields: Partial<Definition> = {}): Definition {
  return {
    name: "Checkout fails",
    severity: "MAJOR",
    services: [service],
    incidentUpdates: [{ description: "We are looking into it." }],
    ...fields,
  };
}

/** A valid definition in YAML. `fields` replaces or adds fields by the source of their values; `id` comes first. */
export function definitionYaml({ id, ...fields }: Readonly<Record<string, string>> = {}): string {
  const all = {
    ...(id !== undefined && { id }),
    name: "Checkout fails",
    severity: "MAJOR",
    services: `[${serviceYaml}]`,
    incidentUpdates: "[{ description: We are looking into it. }]",
    ...fields,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");
}

/** The create of an incident under this id, past the commands. */
export function createRequest(id: string) {
  const headers = {
    authorization: `Bearer ${access.apiKey}`,
    "x-service-account": access.accountId,
    "content-type": "application/json",
  };
  const services = [{ ...service, accountId: access.accountId }];
  const url = `${access.baseUrl}/v1/status-pages/incidents`;
  return { method: "POST", url, headers, body: JSON.stringify({ ...definition({ id }), services }) } as const;
}

/** An answer of the service: a text as it is, anything else as JSON. */
export function answer(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answered {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { phase: "answered", status, headers, body: new TextEncoder().encode(text) };
}
