// Spec 4.2 lists an `id` in the create body without a meaning. One test for each behavior that an option of the
// sandbox selects.
import { describe, expect, it } from "vitest";
import { createBody, incidentId } from "../sandbox/requests.ts";
import { openService, type TestService } from "./service.ts";

const body = { ...createBody, id: incidentId };
const edited = { ...body, name: "Edited" };

export function describeClientIds(): void {
  let service: TestService;

  describe("spec 4.2 id, whose meaning is not shown", () => {
    it("clientIds honour, the default: it becomes the incident's id as it was written", async () => {
      service = openService();
      const { json } = await service.create({ ...createBody, id: incidentId.toUpperCase() });
      expect(json.id).toBe(incidentId.toUpperCase());
      expect((await service.read(incidentId)).status).toBe(200);
    });

    it("clientIds ignore: the incident gets another id, also the second time", async () => {
      service = openService({ clientIds: "ignore" });
      const [first, second] = [await service.create(body), await service.create(body)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(new Set([incidentId, first.json.id, second.json.id]).size).toBe(3);
      expect((await service.read(incidentId)).status).toBe(404);
    });

    it("clientIds reject: a body with an id is 400, one without is 201", async () => {
      service = openService({ clientIds: "reject" });
      expect((await service.create(body)).json).toMatchObject({
        statusCode: 400,
        message: "id is not a known field",
      });
      expect((await service.create()).status).toBe(201);
    });

    it("onDuplicateId conflict, the default: 409, and the first stays", async () => {
      service = openService();
      await service.create(body);
      const { json } = await service.create({ ...edited, id: incidentId.toUpperCase() });
      expect(json).toMatchObject({ statusCode: 409, error: "Conflict" });
      expect((await service.read(incidentId)).json.name).toBe(body.name);
    });

    it.each(["create-again", "upsert"] as const)(
      "onDuplicateId %s: 201, and the newer is read",
      async (onDuplicateId) => {
        service = openService({ onDuplicateId });
        await service.create(body);
        expect((await service.create(edited)).status).toBe(201);
        expect((await service.read(incidentId)).json.name).toBe("Edited");
      },
    );
  });
}
