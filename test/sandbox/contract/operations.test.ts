// The operations that a contract describes beside the two: the sandbox plays them by the contract's names and shapes.
import { describe, expect, it } from "vitest";
import { findOperations } from "../../../src/incident/contract/find-operations.ts";
import { normalizeDocument } from "../../../src/rules/openapi/normalize-document.ts";
import { compilePattern } from "../../../src/rules/patterns.ts";
import { createServiceContract } from "../../../src/sandbox/contract/service-contract.ts";
import { nodeAt } from "../../harness/contracts.ts";
import { serviceDocument } from "../../incident/contract/service-documents.ts";
import { documentOf, lifeServices } from "../../service/life/life-services.ts";
import {
  bodyRequest,
  createBody,
  createRequest,
  getRequest,
  incidentId,
  incidentsPath,
  openSandbox,
} from "../requests.ts";

const one = `${incidentsPath}/${incidentId}`;
const services = "/v1/status-pages/services";

async function openService(document: unknown, onlySpec = false) {
  const described = {
    ...normalizeDocument(document, compilePattern),
    operations: findOperations(document, compilePattern),
  };
  const onMismatch = () => undefined;
  const contract = createServiceContract({ described, document, compilePattern, onMismatch });
  const { sandbox } = openSandbox({ contract, onlySpec });
  const send = async (request: Parameters<typeof sandbox.transport>[0]) => {
    const outcome = await sandbox.transport(request, { deadline: 10_000 });
    if (outcome.phase !== "answered") throw new Error(outcome.phase);
    return { status: outcome.status, json: JSON.parse(new TextDecoder().decode(outcome.body)) };
  };
  const incidentUpdates = [{ ...createBody.incidentUpdates[0], status: "INVESTIGATING" }];
  const created = await send(createRequest({ ...createBody, incidentUpdates, id: incidentId }));
  expect(created.status).toBeLessThan(202);
  return { ...described.operations, send, get: async (path: string) => (await send(getRequest(path))).json };
}

describe.each(lifeServices)("with the document of %s", (_name, open) => {
  it("adds, edits and lists as the document says", async () => {
    const service = await openService(await documentOf(await open()));
    const segment = service.addUpdate?.segment;
    const edited = { ...createBody, incidentUpdates: undefined, severity: "CRITICAL" };
    const update = { description: "It is over.", status: "RESOLVED" };
    expect((await service.send(bodyRequest("POST", `${one}/${segment}`, update))).status).toBe(200);
    expect((await service.send(bodyRequest(service.edit?.method ?? "", one, edited))).status).toBe(200);
    const items = (steps: readonly string[] = [], answer: unknown) =>
      steps.reduce((value, step) => (value as Record<string, unknown>)[step], answer);
    expect(items(service.list?.items, await service.get(incidentsPath))).toMatchObject([
      { id: incidentId, severity: "CRITICAL", lastUpdateStatus: "RESOLVED" },
    ]);
    expect(items(service.updates?.items, await service.get(`${one}/${segment}`))).toHaveLength(2);
    expect(items(service.services?.items, await service.get(services))).toHaveLength(4);
  });
});

it("joins pages by their number, from the first that the document has, or by a cursor in an envelope", async () => {
  const [, hapi, enveloped] = lifeServices;
  const numbered = await openService(await documentOf(await (hapi as NonNullable<typeof hapi>)[1]()));
  expect(await numbered.get(`${services}?per_page=3&page=2`)).toMatchObject([createBody.services[0]]);
  expect(await numbered.get(`${services}?per_page=3&page=0`)).toMatchObject({
    message: "page must be that of a page",
  });
  expect(await numbered.get(`${services}?per_page=51`)).toMatchObject({
    message: "per_page must be an integer from 1 to 50",
  });
  const joined = await openService(await documentOf(await (enveloped as NonNullable<typeof enveloped>)[1]()));
  const { cursor } = (await joined.get(`${services}?limit=3`)).data;
  expect((await joined.get(`${services}?limit=3&cursor=${cursor}`)).data).toMatchObject({
    items: [createBody.services[0]],
    cursor: null,
  });
});

it("edits only what a PATCH sends", async () => {
  const [, hapi] = lifeServices;
  const { send } = await openService(await documentOf(await (hapi as NonNullable<typeof hapi>)[1]()));
  const { json } = await send(bodyRequest("PATCH", one, { severity: "MINOR" }));
  expect(json).toMatchObject({ ...createBody, severity: "MINOR" });
});

it("lacks what the document lacks, and everything with --only-spec", async () => {
  const document = serviceDocument();
  delete nodeAt(document, `paths ${incidentsPath}`).get;
  delete nodeAt(document, `paths ${incidentsPath}/{incidentId}`).put;
  const { send } = await openService(document);
  const statusOf = async (method: string, path: string) =>
    (await send(bodyRequest(method, path, createBody))).status;
  expect([await statusOf("GET", incidentsPath), await statusOf("PUT", one)]).toEqual([405, 405]);
  expect((await send(getRequest(`${one}/incident-updates`))).status).toBe(200);
  const bare = await openService(serviceDocument(), true);
  expect((await bare.send(getRequest(`${one}/incident-updates`))).status).toBe(404);
  expect((await bare.send(getRequest(incidentsPath))).status).toBe(405);
});
