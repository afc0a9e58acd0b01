// The sandbox as a service that does not echo: each habit by itself, and all of them together.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { type HabitName, habitNames } from "./habits.ts";

const service = { name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b" };
const name = "Payments <b>fail</b> &  time out in Zu\u0308rich";
const fields = {
  name: JSON.stringify(name),
  incidentUpdates: `[{ description: ${JSON.stringify(`We are looking.\n${"More. ".repeat(30)}\n`)} }]`,
  duration: "5",
};
const files = { "x.yaml": definitionYaml({ id, ...fields }), "plain.yaml": definitionYaml(fields) };
const edits = ["cut", "duration", "own-update", "parents"];

/** The answers to a create and to a read, as they were sent. */
async function answersOf(...habits: readonly HabitName[]) {
  const world = createWorld({ files, sandbox: { habits } });
  const bodies: unknown[] = [];
  for (const line of ["create -f x.yaml", `get ${id}`]) {
    const { exitCode } = await world.run(line, {
      transport: async (request, control) => {
        const outcome = await world.sandbox.transport(request, control);
        if (outcome.phase === "answered" && outcome.status < 300)
          bodies.push(JSON.parse(Buffer.from(outcome.body).toString()));
        return outcome;
      },
    });
    expect(exitCode).toBe(0);
  }
  return bodies;
}

describe("a habit of the sandbox", () => {
  it.each<[habits: readonly HabitName[], written: object]>([
    [["trim"], { incidentUpdates: [{ description: expect.stringMatching(/More\.$/) }] }],
    [["nfc"], { name: name.normalize("NFC") }],
    [["spaces"], { name: name.replace("  ", " ") }],
    [["line-ends"], { incidentUpdates: [{ description: expect.stringContaining("looking.\r\nMore") }] }],
    [["tags"], { name: name.replace("<b>fail</b>", "fail") }],
    [["cut"], { incidentUpdates: [{ description: expect.stringMatching(/^.{15}\n.{103}…$/) }] }],
    [["escape"], { name: expect.stringContaining("&lt;b&gt;fail&lt;/b&gt; &amp;  time") }],
    [["case"], { severity: "major", lastUpdateStatus: "investigating" }],
    [["duration"], { duration: 0 }],
    [["parents"], { services: [service, { name: "All services" }] }],
    [["bare-ids"], { services: [service.id] }],
    [["service-id"], { services: [{ serviceId: service.id }] }],
    [["names"], { services: ["Checkout"] }],
    [["envelope"], { data: { id } }],
    [["nfc", "case", "envelope"], { data: { name: name.normalize("NFC"), severity: "major" } }],
  ])("%j write the incident in this way in every answer", async (habits, written) => {
    const bodies = await answersOf(...habits);
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body).toMatchObject(written);
  });

  it("own-update answers a create with its own update alone", async () => {
    const own = { description: "The incident was created." };
    const [created, read] = await answersOf("own-update");
    expect(created).toMatchObject({ incidentUpdates: [own] });
    expect(read).toMatchObject({
      incidentUpdates: [own, { description: expect.stringContaining("looking") }],
    });
  });

  it.each(habitNames)("%s makes no outcome unknown, and loses no id", async (habit) => {
    for (const [file, faults] of [
      ["x.yaml", []],
      ["plain.yaml", []],
      ["x.yaml", ["create:drop-after-commit"]],
    ] as const) {
      const world = createWorld({ files, faults, sandbox: { habits: [habit] } });
      const { exitCode, stdout, stderr } = await world.run(`create -f ${file} -o id`);
      const [declared, ...others] = world.sandbox.incidents();
      expect({ exitCode, stdout, others }).toEqual({ exitCode: 0, stdout: `${declared?.id}\n`, others: [] });
      const isTold = edits.includes(habit) && !(habit === "own-update" && faults.length > 0);
      expect(stderr.includes("differs from its definition"), stderr).toBe(isTold);
    }
  });
});

describe("a service with all habits", () => {
  const sandbox = { habits: habitNames };

  it.each(["honour", "ignore", "reject"] as const)(
    "declares once where its answer to ids is to %s them",
    async (clientIds) => {
      const world = createWorld({ files, sandbox: { ...sandbox, clientIds } });
      for (const file of ["x.yaml", "x.yaml", "plain.yaml"]) {
        const { exitCode, stdout } = await world.run(`create -f ${file} -o id`);
        expect(exitCode).toBe(0);
        expect(world.sandbox.incidents().map((each) => each.id)).toContain(stdout.trim());
      }
      expect(world.sandbox.incidents()).toHaveLength(2);
      expect((await world.run("gate")).exitCode).toBe(12);
    },
  );
});
