import { describe, expect, it } from "vitest";
import { definitionYaml } from "../../harness/builders.ts";
import { createWorld, type Result } from "../../harness/incident.ts";
import { answer, createService, incidentOf, refusal } from "../services-by-hand.ts";

const resolved = "[{ description: Solved., status: RESOLVED }]";
const files = {
  "open.yaml": definitionYaml(),
  "other.yaml": definitionYaml({ name: "Checkout fails, 17 % of payments" }),
  "solved.yaml": definitionYaml({ incidentUpdates: resolved }),
};
const services = ["honour", "ignore", "reject"] as const;

function idOf({ exitCode, stdout, stderr }: Result): string {
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout.trim();
}

const sent = ({ requests }: Result) => requests.filter(({ method }) => method === "POST").length;

describe.each(services)(
  "create --dedup-key, where the service's answer to ids is to %s them",
  (clientIds) => {
    const createService = () => createWorld({ files, sandbox: { clientIds } });
    const line = (file: string) => `create -f ${file}.yaml --dedup-key checkout -o id`;

    it("declares one incident while it is open, whatever the text of the alert", async () => {
      const world = createService();
      const first = await world.run(line("open"));
      const again = await world.run(line("other"));
      expect(idOf(again)).toBe(idOf(first));
      expect(sent(again)).toBe(0);
      expect(again.stderr).toContain(`already open ${idOf(first)}  Checkout fails\n`);
    });

    it("declares another one once it is resolved, and again", async () => {
      const world = createService();
      const ids: string[] = [];
      for (let round = 0; round < 6; round += 1) ids.push(idOf(await world.run(line("solved"))));
      const last = idOf(await world.run(line("open")));
      expect(new Set([...ids, last]).size).toBe(7);
      expect(idOf(await world.run(line("solved")))).toBe(last);
    });

    it("is one incident for alerts that fire at the same time", async () => {
      const world = createService();
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => world.run(line(index % 2 === 0 ? "open" : "other"))),
      );
      expect(new Set(results.map(idOf)).size).toBe(1);
    });

    it("keeps the incidents of other keys apart", async () => {
      const world = createService();
      const one = idOf(await world.run(line("open")));
      expect(idOf(await world.run("create -f other.yaml --dedup-key search -o id"))).not.toBe(one);
    });
  },
);

it("arrives at the same incident from an empty disk, where ids are honoured", async () => {
  const world = createWorld({ files });
  for (let round = 0; round < 4; round += 1) await world.run("create -f solved.yaml --dedup-key a");
  const first = await world.run("create -f open.yaml --dedup-key a -o id");
  const elsewhere = await world.run("create -f other.yaml --dedup-key a -o id --state-dir elsewhere");
  expect(idOf(elsewhere)).toBe(idOf(first));
  expect(sent(elsewhere)).toBe(0);
});

it.each([
  ["in lower case", { lastUpdateStatus: "resolved" }],
  ["only in the last update", { lastUpdateStatus: undefined }],
])("declares another one where the service tells that the first is resolved %s", async (_, fields) => {
  const world = createWorld({ files });
  const solved = [{ description: "Solved.", status: "Resolved" }];
  const declared = new Set<unknown>();
  const { sent, transport } = createService(
    (body) => {
      declared.add(body.id);
      return answer(201, incidentOf({ id: body.id }));
    },
    (id) =>
      declared.has(id) ? answer(200, incidentOf({ id, incidentUpdates: solved, ...fields })) : refusal(404),
  );
  const line = "create -f open.yaml --dedup-key checkout -o id";
  const ids = [await world.run(line, { transport }), await world.run(line, { transport })].map(idOf);
  expect(new Set(ids).size).toBe(2);
  expect(sent).toHaveLength(2);
});

it("says in JSON how it was answered", async () => {
  const world = createWorld({ files });
  const line = "create -f open.yaml --dedup-key a -o json";
  const first = JSON.parse((await world.run(line)).stdout);
  const again = JSON.parse((await world.run(line)).stdout);
  expect(first).toMatchObject({ how: "declared", name: "Checkout fails" });
  expect(again).toEqual({ ...first, how: "open" });
});

it("does not send again while the outcome of a create is unknown", async () => {
  const world = createWorld({
    files,
    faults: ["create:drop-before-commit"],
    sandbox: { clientIds: "ignore" },
  });
  const line = "create -f open.yaml --dedup-key a --settle-for 1s";
  expect((await world.run(line)).exitCode).toBe(8);
  const again = await world.run(line.replace("open", "other"));
  expect({ exitCode: again.exitCode, sent: sent(again) }).toEqual({ exitCode: 8, sent: 0 });
});

it("takes up a create that was committed and not answered, with another text", async () => {
  const world = createWorld({ files, faults: ["create:drop-after-commit"] });
  const first = await world.run("create -f open.yaml --dedup-key a -o id --settle-for 1s");
  const again = await world.run("create -f other.yaml --dedup-key a -o id");
  expect(idOf(again)).toBe(idOf(first));
  expect(sent(again)).toBe(0);
});

it("sends nothing where the newest incident cannot be read", async () => {
  const world = createWorld({ files, faults: ["get#3:503"] });
  await world.run("create -f open.yaml --dedup-key a");
  const { exitCode, ...result } = await world.run("create -f open.yaml --dedup-key a --max-retries 0");
  expect({ exitCode, sent: sent({ exitCode, ...result }) }).toEqual({ exitCode: 7, sent: 0 });
});

it.each([
  ["--dedup-key a --key b", "--key and --dedup-key cannot be used together"],
  ["--dedup-key ' '", "--dedup-key is empty"],
])("%s is a usage error", async (flags, message) => {
  const { exitCode, stderr } = await createWorld({ files }).run(`create -f open.yaml ${flags}`);
  expect({ exitCode, first: stderr.split("\n")[0] }).toEqual({ exitCode: 2, first: `error: ${message}` });
});
