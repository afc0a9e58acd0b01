// Two services that list, edit and update incidents, each in its own shapes. A test of a command runs against both:
//
//   describe.each(lifeServices)("update, at %s", (_name, open) => {
//     it("posts once where its answer is lost", async () => {
//       const service = await open({ ids: "replaced" });
//       const { transport, env } = service;
//       const world = createWorld({ transport, env, files: { "x.yaml": definitionYaml() } });
//       const { stdout } = await world.run("create x.yaml -o id");
//       service.loseAnswer("update");
//       await world.run(`update ${stdout.trim()} --status RESOLVED --message Over`);
//       expect(service.incidents()[0]?.incidentUpdates).toHaveLength(2);
//
import { randomUUID } from "node:crypto";
import type { Answered, Outcome, Transport } from "../../../src/http/transport.ts";
import type { ReceivedRequest } from "../../../src/sandbox/route.ts";
import { answer } from "../../harness/builders.ts";
import { isComplete } from "../../harness/cases.ts";
import { answering, rewriting } from "../../harness/changed-service.ts";
import { createManualClock } from "../../sandbox/manual-clock.ts";
import { accountId, apiKey, incidentsPath, openSandbox } from "../../sandbox/requests.ts";
import { createEnvelopedService } from "./enveloped-service.ts";
import type { StoredIncident } from "./stored-incident.ts";

export interface LifeOptions {
  /** Whether incidents and updates keep the id of the client; "kept" by default. */
  readonly ids?: "kept" | "replaced";
  /** The header that names the account, in lower case, where the service has a choice (the enveloped one). */
  readonly accountHeader?: string;
}

/** What a request does: "update" adds one, and "updates" reads them. */
export type LifeOperation =
  | "create"
  | "get"
  | "list"
  | "edit"
  | "update"
  | "updates"
  | "services"
  | "document"
  | "other";

export interface LifeService {
  /** In the place of the sandbox: `createWorld({ transport, env })`. */
  readonly transport: Transport;
  /** The settings of a command. */
  readonly env: Readonly<Record<string, string>>;
  /** The requests that arrived, in their order. */
  readonly requests: readonly { readonly operation: LifeOperation; readonly request: ReceivedRequest }[];
  /** The incidents that the service has, the oldest first, whatever its answers look like. */
  incidents(): readonly StoredIncident[];
  /** Carries out the next requests of this operation and closes each connection without an answer. */
  loseAnswer(operation: LifeOperation, times?: number): void;
  /** Loses the next requests of this operation before the service reads them. */
  loseRequest(operation: LifeOperation, times?: number): void;
  /** Runs before each request is carried out, such as an update of another person in between. */
  before(work: (operation: LifeOperation) => Promise<void> | void): void;
  /** Adds an update as another person does, past `requests` and the lost answers. */
  addUpdate(id: string, update: { readonly status: string; readonly description: string }): Promise<void>;
  /** Changes fields as another person does. */
  edit(id: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
}

export type OpenLifeService = (options?: LifeOptions) => Promise<LifeService>;

interface Inner {
  readonly segment: string;
  readonly editMethod: "PUT" | "PATCH";
  handle(request: ReceivedRequest): Promise<Omit<Answered, "phase">>;
  incidents(): readonly StoredIncident[];
}

const accessHeaders = (accountHeader = "x-service-account") => ({
  authorization: `Bearer ${apiKey}`,
  [accountHeader]: accountId,
  "content-type": "application/json",
});

function operationOf({ segment, editMethod }: Inner, { method, url }: ReceivedRequest): LifeOperation {
  const path = new URL(url).pathname;
  if (path === "/openapi.json") return "document";
  if (path === "/v1/status-pages/services") return "services";
  if (path === incidentsPath) return method === "POST" ? "create" : "list";
  const [id, last, ...others] = path.replace(`${incidentsPath}/`, "").split("/");
  if (id === "" || others.length > 0) return "other";
  if (last === segment) return method === "POST" ? "update" : "updates";
  if (last !== undefined) return "other";
  return method === "GET" ? "get" : method === editMethod ? "edit" : "other";
}

const dropped: Outcome = { phase: "unanswered", reason: "reset", detail: "the service closed it" };

function createLifeService(inner: Inner, { accountHeader }: LifeOptions): LifeService {
  const requests: LifeService["requests"][number][] = [];
  const lost: { readonly operation: LifeOperation; readonly part: "answer" | "request"; times: number }[] =
    [];
  let interfere: Parameters<LifeService["before"]>[0] = () => undefined;
  const lose =
    (part: "answer" | "request") =>
    (operation: LifeOperation, times = 1) =>
      void lost.push({ operation, part, times });

  async function receive(request: ReceivedRequest): Promise<Outcome> {
    const operation = operationOf(inner, request);
    requests.push({ operation, request });
    await interfere(operation);
    const loss = lost.find((each) => each.operation === operation && each.times > 0);
    if (loss !== undefined) loss.times -= 1;
    if (loss?.part === "request") return dropped;
    const answer = await inner.handle(request);
    return loss === undefined ? { phase: "answered", ...answer } : dropped;
  }

  async function ask(method: string, path: string, body: object): Promise<void> {
    const headers = accessHeaders(accountHeader);
    const url = `http://127.0.0.1${incidentsPath}${path}`;
    const { status, body: said } = await inner.handle({ method, url, headers, body: JSON.stringify(body) });
    if (status >= 300) throw new Error(`${status}: ${Buffer.from(said)}`);
  }

  return {
    requests,
    env: {
      INCIDENT_CLI_BASE_URL: "http://127.0.0.1:1",
      INCIDENT_CLI_API_KEY: apiKey,
      INCIDENT_CLI_ACCOUNT_ID: accountId,
    },
    async transport(request, control) {
      if (control.signal?.aborted) return { phase: "unsent", reason: "cancelled", detail: "cancelled" };
      await control.beforeSend?.();
      if (control.isOverdue?.()) return { phase: "unsent", reason: "timeout", detail: "too late" };
      return receive(request);
    },
    incidents: inner.incidents,
    loseAnswer: lose("answer"),
    loseRequest: lose("request"),
    before: (work) => {
      interfere = work;
    },
    addUpdate: (id, update) => ask("POST", `/${id}/${inner.segment}`, update),
    async edit(id, fields) {
      const incident = inner.incidents().find((each) => each.id === id);
      if (incident === undefined) throw new Error(`no incident ${id}`);
      const { name, severity, services } = incident;
      await ask(inner.editMethod, `/${id}`, { name, severity, services, ...fields });
    },
  };
}

async function openSandboxService(options: LifeOptions = {}): Promise<LifeService> {
  const clientIds = options.ids === "replaced" ? "ignore" : "honour";
  const random = { guid: () => randomUUID() as string };
  const { sandbox } = openSandbox({
    onlySpec: false,
    clientIds,
    random,
    clock: createManualClock(Date.now()),
  });
  const inner: Inner = {
    segment: "incident-updates",
    editMethod: "PUT",
    async handle(request) {
      const outcome = await sandbox.transport(request, { deadline: 10_000 });
      if (outcome.phase !== "answered") throw new Error(outcome.detail);
      return outcome;
    },
    incidents: () => sandbox.incidents() as unknown as readonly StoredIncident[],
  };
  return createLifeService(inner, options);
}

async function openEnvelopedService(options: LifeOptions = {}): Promise<LifeService> {
  const service = createEnvelopedService({ ids: "kept", ...options });
  return createLifeService({ segment: "status_updates", editMethod: "PATCH", ...service }, options);
}

export const lifeServices = [
  ["the sandbox", openSandboxService],
  ["a service with envelopes", openEnvelopedService],
] as const satisfies readonly (readonly [name: string, open: OpenLifeService])[];

/**
 * Each service with ids that it keeps or that it replaces, in turn, so that each shape and each habit occurs. Files differ
 * in `first`, the habit of the first service, so each pair occurs in one of them. CASES=all gives all pairs.
 */
export function servicesInTurn(first: "kept" | "replaced") {
  return lifeServices.flatMap(([name, open], at) =>
    (["kept", "replaced"] as const)
      .filter((ids) => isComplete || (ids === first) === (at === 0))
      .map((ids) => [name, ids, open] as const),
  );
}

/** The service with another document in the place of its own. `change` alters it. */
export function withDocument(
  service: Pick<LifeService, "transport">,
  // biome-ignore lint/suspicious/noExplicitAny: a test names the parts of a document that it changes.
  change: (document: any) => void,
): Transport {
  return rewriting(service, (text, { url }) => {
    if (!url.endsWith("/openapi.json")) return undefined;
    const document = JSON.parse(text);
    change(document);
    return JSON.stringify(document);
  });
}

/** The service after a person has deleted an incident, for those reads that show it already. */
export function withoutIncident(
  service: Pick<LifeService, "transport">,
  deletedId: string,
  by: readonly ("get" | "list")[],
): Transport {
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((each) => each?.id !== deletedId).map(without);
    if (typeof value !== "object" || value === null) return value;
    const left = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, without(each)]));
    return Array.isArray(left.entries) && "length" in left ? { ...left, length: left.entries.length } : left;
  };
  const transport = answering(service, ({ method, url }) =>
    method === "GET" && by.includes("get") && new URL(url).pathname.endsWith(deletedId)
      ? answer({ statusCode: 404, error: "Not Found", message: "Not Found" }, 404)
      : undefined,
  );
  return rewriting({ transport }, (text, { method, url }) =>
    method === "GET" && by.includes("list") && new URL(url).pathname === incidentsPath
      ? JSON.stringify(without(JSON.parse(text)))
      : undefined,
  );
}
