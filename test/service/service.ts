// A sandbox for the contract suite: requests in; status, headers and JSON out.
import type { ReceivedRequest } from "../../src/sandbox/route.ts";
import type { ManualClock } from "../sandbox/manual-clock.ts";
import {
  createBody,
  createRequest,
  getRequest,
  incidentId,
  openSandbox,
  readRequest,
  type TestOptions,
} from "../sandbox/requests.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: JsonObject;
}

/** Changes to a request before it is sent. A header of `undefined` is left out. */
export interface Changes {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface TestService {
  readonly clock: ManualClock;
  create(body?: unknown, changes?: Changes): Promise<Reply>;
  read(id: string, changes?: Changes): Promise<Reply>;
  get(path: string, changes?: Changes): Promise<Reply>;
}

function changed(request: ReceivedRequest, { headers = {}, ...rest }: Changes = {}): ReceivedRequest {
  const merged = Object.entries({ ...request.headers, ...headers });
  const kept = merged.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...request, ...rest, headers: Object.fromEntries(kept) };
}

export function openService(options?: TestOptions): TestService {
  const { sandbox, clock } = openSandbox(options);
  async function call(request: ReceivedRequest): Promise<Reply> {
    // No test waits for it: the service answers.
    const outcome = await sandbox.transport(request, { deadline: 300_000 });
    if (outcome.phase !== "answered") throw new Error(`no answer: ${outcome.detail}`);
    const { status, headers, body } = outcome;
    return { status, headers, json: JSON.parse(Buffer.from(body).toString("utf8")) };
  }
  return {
    clock,
    create: (body, changes) => call(changed(createRequest(body), changes)),
    read: (id, changes) => call(changed(readRequest(id), changes)),
    get: (path, changes) => call(changed(getRequest(path), changes)),
  };
}

/** The bodies of both operations for one incident: as it was created, and as it is read afterwards. */
export async function bothAnswers(
  service: TestService,
  body: JsonObject = createBody,
): Promise<JsonObject[]> {
  const created = await service.create({ ...body, id: incidentId });
  const read = await service.read(incidentId);
  if (created.status !== 201 || read.status !== 200)
    throw new Error(`${created.status}, then ${read.status}`);
  return [created.json, read.json];
}

/** The create body with other values in its only update. */
export const withUpdate = (update: JsonObject): JsonObject => ({
  ...createBody,
  incidentUpdates: [{ ...createBody.incidentUpdates[0], ...update }],
});

/** The create body with other values in its only service. */
export const withService = (service: JsonObject): JsonObject => ({
  ...createBody,
  services: [{ ...createBody.services[0], ...service }],
});
