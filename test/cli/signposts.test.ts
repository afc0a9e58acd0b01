// The way out of a wrong command line names the id that was typed, and never declares where an incident exists.
import { expect, it } from "vitest";
import { incidentId } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

it.each(["post", "send", "publish"])(
  "incident %s of an id leads to update, and not to create",
  async (word) => {
    for (const id of [incidentId, incidentId.slice(0, 8)]) {
      const { exitCode, stderr } = await incident(`${word} ${id} --message text`);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`incident update ${id}`);
      expect(stderr).not.toContain("create");
    }
  },
);
