// The public API: `import … from "incident-cli"`. Declares its types in full and apart from the internal ones, so that
// an incompatible change of an internal type does not compile here.
// Over 220 lines because its declarations are made from this file alone.
import { setTimeout as delay } from "node:timers/promises";
import { createClient as createInnerClient } from "./api/client.ts";
import { Failure } from "./failure.ts";
import type { CheckBody } from "./incident/contract/check-body.ts";
import { createBody } from "./incident/create-body.ts";
import { createSandbox as createInnerSandbox } from "./sandbox/app.ts";
import { createFaults, parseFault } from "./sandbox/faults.ts";
import { serveSandbox } from "./sandbox/server.ts";
import { checkSources, defaultLoadOptions } from "./source/definitions.ts";
import { checkApiKey } from "./workspace/credentials.ts";
import { checkEndpoint } from "./workspace/resolve.ts";

/** The severities and statuses of spec 2.4. */
export type Severity = "CRITICAL" | "MAJOR" | "MEDIUM" | "MINOR";
export type Status = "INVESTIGATING" | "IDENTIFIED" | "MONITORING" | "RESOLVED";

/** The definition of an incident (spec 4.2). Dates are `YYYY-MM-DD`, ids are GUIDs. */
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
    /** Whether to notify subscribers; false by default. */
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

/** An incident from the service, with all fields of the response. Only the id is checked (spec 2.1). */
export interface Incident {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Lines and columns count from 1; columns are Unicode code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One error in a text, with its location and its correction. */
export interface Diagnostic {
  /** Stable across versions. */
  readonly code: string;
  readonly level: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly location: { readonly file: string; readonly start: Position; readonly end: Position };
}

/** The error for every expected failure. `kind` and `exitCode` are those of the command. */
export interface IncidentFailure extends Error {
  readonly kind: string;
  readonly exitCode: number;
  /** The next action. */
  readonly hint: string;
  /** Whether a retry is safe and may succeed. */
  readonly retryable: boolean;
}

export function isFailure(error: unknown): error is IncidentFailure {
  return error instanceof Failure;
}

/** The opaque transport of requests: the network, or a sandbox in the same process. */
export type Carrier = (request: never, control: never) => Promise<unknown>;

export interface ClientOptions {
  /** An `https:` URL, or an `http:` URL of the loopback interface. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A GUID, or `none` to send no account. */
  readonly accountId: string;
  /** The name of the account header; `x-service-account` by default (spec 5). */
  readonly accountHeader?: string;
  /** The time limit of a request in milliseconds; 30,000 by default. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** The environment with HTTPS_PROXY, ALL_PROXY, NO_PROXY and the pin of a sandbox, such as `process.env`; empty by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Replaces the network, for example by a sandbox. */
  readonly carrier?: Carrier;
}

/** Each call sends one request: there are no retries and no journal. Rejects with an `IncidentFailure`. */
export interface Client {
  getIncident(id: string): Promise<Incident>;
  /** With a failure of kind `uncertain`, the incident may exist: check before you call again. */
  createIncident(definition: Definition): Promise<Incident>;
}

/** Throws an `IncidentFailure` for invalid options. */
export function createClient(options: ClientOptions): Client {
  const setting = (name: keyof ClientOptions, value: string) => ({ value, origin: `createClient's ${name}` });
  const { accountHeader, env = {}, signal, timeout = 30_000 } = options;
  const target = checkEndpoint(
    {
      baseUrl: setting("baseUrl", options.baseUrl),
      account: setting("accountId", options.accountId),
      accountHeader: accountHeader === undefined ? undefined : setting("accountHeader", accountHeader),
    },
    env,
  );
  const apiKey = checkApiKey(setting("apiKey", options.apiKey));
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
      const ending = await client.createIncident(createBody(definition, definition.id, target.account.value));
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
  /** In the order of the text. Complete only if there are no diagnostics. */
  readonly definitions: readonly Definition[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The opaque check of a contract: for the account, the broken rules of a definition. */
export type ContractCheck = (account: never) => unknown;

/** The contract of a service: the rules for a create in its own OpenAPI document. */
export interface Contract {
  /** The document that it was read from. */
  readonly source: {
    readonly from: string;
    readonly title: string;
    readonly digest: string;
    readonly date: string;
  };
  readonly check: ContractCheck;
}

/** Reads the text of an `incident.contract.json`. Rejects with an `IncidentFailure` for any other text. */
export async function parseContract(text: string): Promise<Contract> {
  const { parseContract: parse } = await import("./rules/openapi/contract-file.ts");
  const { createBodyCheck, unknownGuid } = await import("./incident/contract/check-body.ts");
  const { compilePattern } = await import("./rules/patterns.ts");
  const { ContractError } = await import("./rules/openapi/contract.ts");
  try {
    const contract = parse(text, compilePattern);
    const check = (account: string = unknownGuid) =>
      createBodyCheck(contract, account.toLowerCase() === "none" ? undefined : account, compilePattern);
    return { source: { ...contract.source }, check };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new Failure("usage", `the contract ${error.message}`, {
      hint: "give the text of a file that incident contract pull wrote",
      cause: error,
    });
  }
}

export interface CheckOptions {
  /** The rules of the service, which are checked as well. */
  readonly contract?: Contract;
  /** The account that fills in a missing `accountId`: a GUID; `none` if there is none; any account by default. */
  readonly accountId?: string;
}

/** Checks YAML or JSON of one or several documents, like `incident validate`. Never throws. */
export function checkDefinitions(
  text: string | Uint8Array,
  file = "definition.yaml",
  { accountId, contract }: CheckOptions = {},
): CheckedDefinitions {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const checkFor = contract?.check as ((account?: string) => CheckBody) | undefined;
  const { definitions, diagnostics } = checkSources([{ file, bytes }], {
    ...defaultLoadOptions(),
    ...(checkFor && { contract: checkFor(accountId) }),
  });
  return { definitions: definitions.map(({ definition }) => definition), diagnostics };
}

export interface SandboxOptions {
  readonly apiKey?: string;
  readonly accountId?: string;
  /** In the form of `incident sandbox --fault`, such as `create#1:drop-after-commit`. */
  readonly faults?: readonly string[];
}

/** The service on this machine, with the options of a client for it. */
export interface Sandbox
  extends Required<Pick<ClientOptions, "baseUrl" | "apiKey" | "accountId" | "carrier">> {
  /** In the order of creation. */
  incidents(): readonly Incident[];
  /** Listens on a free port of the loopback interface, for other processes. */
  serve(): Promise<{ readonly baseUrl: string; close(): Promise<void> }>;
}

/** Creates a sandbox in this process: `createClient(createSandbox())`. Throws a `TypeError` for an invalid fault. */
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
