// Spec 4.2 lists an `id` in the create body without a meaning. One test for each behavior that an option of the
// sandbox selects.
import { afterEach, describe, expect, it } from "vitest";
import { createBody, incidentId } from "../sandbox/requests.ts";
import type { OpenService, TestService } from "./service.ts";

const body = { ...createBody, id: incidentId };
const edited = { ...body, name: "Edited" };

export function describeClientIds(open: OpenService): void {
  let service: TestService;
  afterEach(() => service.close());

  describe("spec 4.2 id, whose meaning is not shown", () => {
    it("clientIds honour, the default: it becomes the incident's id as it was written", async () => {
      service = await open();
      const { json } = await service.create({ ...createBody, id: incidentId.toUpperCase() });
      expect(json.id).toBe(incidentId.toUpperCase());
      expect((await service.read(incidentId)).status).toBe(200);
    });

    it("clientIds ignore: the incident gets another id, also the second time", async () => {
      service = await open({ clientIds: "ignore" });
      const [first, second] = [await service.create(body), await service.create(body)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(new Set([incidentId, first.json.id, second.json.id]).size).toBe(3);
      expect((await service.read(incidentId)).status).toBe(404);
    });

    it("clientIds reject: a body with an id is 400, one without is 201", async () => {
      service = await open({ clientIds: "reject" });
      expect((await service.create(body)).json).toMatchObject({
        statusCode: 400,
        message: "id is not a known field",
      });
      expect((await service.create()).status).toBe(201);
    });

    it("onDuplicateId conflict, the default: 409, and the first stays", async () => {
      service = await open();
      await service.create(body);
      const { json } = await service.create({ ...edited, id: incidentId.toUpperCase() });
      expect(json).toMatchObject({ statusCode: 409, error: "Conflict" });
      expect((await service.read(incidentId)).json.name).toBe(body.name);
    });

    it.each(["create-again", "upsert"] as const)(
      "onDuplicateId %s: 201, and the newer is read",
      async (onDuplicateId) => {
        service = await open({ onDuplicateId });
        await service.create(body);
        expect((await service.create(edited)).status).toBe(201);
        expect((await service.read(incidentId)).json.name).toBe("Edited");
      },
    );
  });
}
