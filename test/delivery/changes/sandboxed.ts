// Updates and edits without a command: the delivery in memory, and the sandbox as the service.

import type { AddUpdate, Edit } from "../../../src/document/contract.ts";
import { findOperations } from "../../../src/document/find-operations.ts";
import { createBody } from "../../../src/incident/create-body.ts";
import { type Incident, incidentFacts } from "../../../src/incident/wire.ts";
import type { OperationEvent } from "../../../src/journal/events.ts";
import type { Sandbox } from "../../../src/sandbox/app.ts";
import { access, definition, incidentId } from "../../harness/builders.ts";
import { createRandom } from "../../harness/incident.ts";
import { createTestSandbox } from "../../sandbox/test-sandbox.ts";
import { openDelivery } from "../in-memory/deliveries.ts";

interface Setup {
  readonly faults?: readonly string[];
  /** What the service shows of its incident. */
  readonly shows?: (incident: Incident) => Incident;
  readonly delivery?: Partial<Parameters<typeof openDelivery>[0]>;
}

/** The incident of `incidentId`, declared at the sandbox, and everything that a delivery to it needs. */
export async function openSandboxed({
  delivery: more = {},
  faults = [],
  shows = (incident) => incident,
}: Setup = {}) {
  const sent: string[] = [];
  let sandbox: Sandbox | undefined;
  const delivery = openDelivery({
    transport: async (request, control) => {
      const outcome = await (sandbox as Sandbox).transport(request, control);
      if (request.method !== "GET") sent.push(`${request.method} ${request.url.split("/").slice(-1)}`);
      if (request.method !== "GET" || outcome.phase !== "answered") return outcome;
      const shown = shows(JSON.parse(new TextDecoder().decode(outcome.body)));
      return { ...outcome, body: new TextEncoder().encode(JSON.stringify(shown)) };
    },
    ...more,
  });
  sandbox = createTestSandbox({
    accountId: access.accountId,
    apiKey: access.apiKey,
    clock: delivery.clock,
    random: createRandom(),
    faults,
    onlySpec: false,
  });
  const { client } = delivery.options;
  const ask = async (method: "GET" | "POST", path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${access.apiKey}`, "x-service-account": access.accountId };
    const outcome = await (sandbox as Sandbox).transport(
      {
        method,
        url: access.baseUrl + path,
        headers: { ...headers, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      { deadline: 1000 },
    );
    if (outcome.phase !== "answered") throw new Error(outcome.detail);
    return JSON.parse(new TextDecoder().decode(outcome.body));
  };
  const operations = findOperations(await ask("GET", "/openapi.json"));
  const created = await client.createIncident(
    createBody(definition({ incidentUpdates: [first] }), incidentId, access.accountId),
  );
  if (created.kind !== "created") throw created.failure;
  const id = created.incident.id;
  sent.length = 0;
  const read = async (): Promise<Incident> => client.getIncident(id);
  return {
    ...delivery,
    id,
    addUpdate: operations.addUpdate as AddUpdate,
    edit: operations.edit as Edit,
    /** The requests that change something, by method and last segment. */
    sent,
    read,
    /** The statuses and texts that the service shows, oldest first. */
    shown: async () =>
      incidentFacts(await read()).updates.map(({ description, status }) => `${status}: ${description}`),
    postElsewhere: (description: string, status: string) =>
      ask("POST", `/v1/status-pages/incidents/${id}/incident-updates`, { description, status }),
    events: async (key: Parameters<typeof delivery.options.journal.read>[0]) =>
      (await delivery.options.journal.read(key)).events.map(({ type }: OperationEvent) => type),
  };
}

export const first = {
  status: "INVESTIGATING",
  description: "We are looking into it.",
  notifySubscribers: false,
} as const;
