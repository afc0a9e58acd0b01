// The part of the contract that follows from openapi.json alone, against a server that knows only that document.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSchema, type Schema } from "../../src/sandbox/check-schema.ts";
import { schemas } from "../../src/sandbox/schemas.ts";
import { createBody, incidentId } from "../sandbox/requests.ts";
import { incompleteBodies, wrongBodies } from "./create-body.ts";
import { describeFields } from "./fields.ts";
import { startMockServer } from "./mock-server.ts";
import type { TestService } from "./service.ts";

let folder: string;
let mock: TestService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "incident-mock-"));
  mock = await startMockServer(folder);
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("an independent server of the published document", () => {
  describeFields(async () => ({ ...mock, close: async () => undefined }));

  it("wants a key for both operations", async () => {
    const headers = { authorization: undefined };
    const replies = [await mock.create(createBody, { headers }), await mock.read(incidentId, { headers })];
    for (const { status, json } of replies) {
      expect(status).toBe(401);
      expect(json).toMatchObject({ statusCode: 401, error: "Unauthorized" });
    }
  });

  it.each([401, 403, 404, 429] as const)("answers %i with the fixed text of spec 7", async (status) => {
    const headers = { prefer: `code=${status}` };
    for (const reply of [
      await mock.create(createBody, { headers }),
      await mock.read(incidentId, { headers }),
    ]) {
      expect(reply.status).toBe(status);
      const schema: Schema = schemas[`Error${status}`];
      expect(checkSchema(schema, reply.json, schemas)).toEqual([]);
    }
  });

  it.each([...wrongBodies, ...incompleteBodies])("refuses a body for its %s", async (_field, body) => {
    expect((await mock.create(body)).status).toBe(400);
  });

  it("refuses an id that is no GUID in the body, and takes one in either letter case", async () => {
    expect((await mock.create({ ...createBody, id: "INC-1" })).status).toBe(400);
    expect((await mock.create({ ...createBody, id: incidentId.toUpperCase() })).status).toBe(201);
  });
});
