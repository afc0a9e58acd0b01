// What `import … from "incident-cli"` gives a program. The types stand here in full, in the words of this package
// alone: what would break a program that uses them does not compile here either.
import { setTimeout as delay } from "node:timers/promises";
import { createClient as createInnerClient } from "./api/client.ts";
import { Failure } from "./failure.ts";
import { createBody } from "./incident/wire.ts";
import { createSandbox as createInnerSandbox } from "./sandbox/app.ts";
import { createFaults, parseFault } from "./sandbox/faults.ts";
import { serveSandbox } from "./sandbox/server.ts";
import { checkApiKey } from "./settings/credentials.ts";
import { checkEndpoint } from "./settings/resolve.ts";
import { checkSources } from "./source/definitions.ts";

/** One of the two lists of spec 2.4. */
export type Severity = "CRITICAL" | "MAJOR" | "MEDIUM" | "MINOR";
export type Status = "INVESTIGATING" | "IDENTIFIED" | "MONITORING" | "RESOLVED";

/** An incident as it is declared (spec 4.2). Dates are `YYYY-MM-DD`, ids are GUIDs. */
export interface Definition {
  name: string;
  severity: Severity;
  services: {
    name: string;
    id: string;
    accountId?: string | undefined;
    created_at?: string | undefined;
    updated_at?: string | null | undefined;
  }[];
  incidentUpdates: {
    description: string;
    status?: Status | undefined;
    /** Whether subscribers are told; they are not unless this is true. */
    notifySubscribers?: boolean | undefined;
    /** ISO 8601 with an offset. */
    publicIncidentUpdateDate?: string | undefined;
    id?: string | undefined;
    created_at?: string | undefined;
  }[];
  id?: string | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
  duration?: number | undefined;
}

/** An incident as the service gave it: every field is passed on, and only the id is certain (spec 2.1). */
export interface Incident {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Lines and columns count from 1; columns are Unicode code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong in a text, where it stands, and what to write instead. */
export interface Diagnostic {
  /** Stable: made to be compared with. */
  readonly code: string;
  readonly level: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly location: { readonly file: string; readonly start: Position; readonly end: Position };
}

/** What every expected failure is thrown as. `kind` and `exitCode` are those of the command. */
export interface IncidentFailure extends Error {
  readonly kind: string;
  readonly exitCode: number;
  /** What to do now. */
  readonly hint: string;
  /** Whether calling again is safe and may succeed. */
  readonly retryable: boolean;
}

export function isFailure(error: unknown): error is IncidentFailure {
  return error instanceof Failure;
}

/** Carries one request and says how it ended: a socket, or a sandbox in the same process. Opaque. */
export type Carrier = (request: never, control: never) => Promise<unknown>;

export interface ClientOptions {
  /** `https:`; `http:` only for this machine. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A GUID, or `none` to send no account. */
  readonly accountId: string;
  /** Name of the account header; `x-service-account` unless given (spec 5). */
  readonly accountHeader?: string;
  /** Milliseconds for one request; 30,000 unless given. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Where HTTPS_PROXY, NO_PROXY and a rehearsal's pin are looked up, such as `process.env`; nowhere unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Instead of the network: a sandbox's. */
  readonly carrier?: Carrier;
}

/** Each call is one request: nothing is sent again, and nothing is remembered. Rejects with an `IncidentFailure`. */
export interface Client {
  getIncident(id: string): Promise<Incident>;
  /** Of kind `uncertain` when it may have been created all the same: look before you call again. */
  createIncident(definition: Definition): Promise<Incident>;
}

/** Throws an `IncidentFailure` for options that no request could be sent with. */
export function createClient(options: ClientOptions): Client {
  const given = (name: keyof ClientOptions, value: string) => ({ value, origin: `createClient's ${name}` });
  const { accountHeader, env = {}, signal, timeout = 30_000 } = options;
  const target = checkEndpoint(
    {
      baseUrl: given("baseUrl", options.baseUrl),
      account: given("accountId", options.accountId),
      accountHeader: accountHeader === undefined ? undefined : given("accountHeader", accountHeader),
    },
    env,
  );
  const apiKey = checkApiKey(given("apiKey", options.apiKey));
  const client = createInnerClient(
    { ...target, apiKey, clientIds: undefined },
    async (request, control) => {
      const carrier = (options.carrier ?? (await openNetwork(env))) as Awaited<
        ReturnType<typeof openNetwork>
      >;
      return carrier(request, control);
    },
    { deadline: timeout, ...(signal && { signal }) },
  );
  return {
    getIncident: (id) => client.getIncident(id),
    async createIncident(definition) {
      const ending = await client.createIncident(createBody(definition, definition.id));
      if (ending.kind === "created") return ending.incident;
      throw ending.failure;
    },
  };
}

async function openNetwork(env: Readonly<Record<string, string | undefined>>) {
  const { createUndiciTransport } = await import("./http/undici-transport.ts");
  return createUndiciTransport(env);
}

export interface CheckedDefinitions {
  /** In the order of the text; complete only without diagnostics. */
  readonly definitions: readonly Definition[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks YAML or JSON, of one or several documents, as `incident validate` does. Never throws. */
export function checkDefinitions(text: string | Uint8Array, file = "definition.yaml"): CheckedDefinitions {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const { definitions, diagnostics } = checkSources([{ file, bytes }]);
  return { definitions: definitions.map(({ definition }) => definition), diagnostics };
}

export interface SandboxOptions {
  readonly apiKey?: string;
  readonly accountId?: string;
  /** As `incident sandbox --fault` takes them, such as `create#1:drop-after-commit`. */
  readonly faults?: readonly string[];
}

/** The service on this machine, with what a client needs to reach it. */
export interface Sandbox
  extends Required<Pick<ClientOptions, "baseUrl" | "apiKey" | "accountId" | "carrier">> {
  /** In the order in which they were created. */
  incidents(): readonly Incident[];
  /** Listens on a free port of loopback; the base URL is where other processes reach it. */
  serve(): Promise<{ readonly baseUrl: string; close(): Promise<void> }>;
}

/** A sandbox in this process: `createClient(createSandbox())`. Throws a `TypeError` for a fault it cannot read. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const {
    apiKey = "sandbox-key-0123456789",
    accountId = "11111111-2222-4333-8444-555555555555",
    faults = [],
  } = options;
  const parsed = faults.map((text) => {
    const fault = parseFault(text);
    if ("problem" in fault) throw new TypeError(`${JSON.stringify(text)} is no fault: ${fault.problem}`);
    return fault;
  });
  const sandbox = createInnerSandbox({
    apiKey,
    accountId,
    clock: {
      now: Date.now,
      sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }).catch(() => undefined),
    },
    random: { guid: () => globalThis.crypto.randomUUID() },
    faults: createFaults(parsed, 1),
  });
  return {
    baseUrl: "http://127.0.0.1",
    apiKey,
    accountId,
    carrier: sandbox.transport,
    incidents: () => sandbox.incidents().map((incident) => ({ ...incident })),
    async serve() {
      const { url, close } = await serveSandbox(sandbox, { host: "127.0.0.1", port: 0 });
      return { baseUrl: url, close };
    },
  };
}
