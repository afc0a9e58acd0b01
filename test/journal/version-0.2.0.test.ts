// A state directory that version 0.2.0 wrote: this version reads each of its entries, and continues its operations.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, createService, refusal } from "../delivery/services-by-hand.ts";
import { serviceId } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";

const { definitions, state } = JSON.parse(
  readFileSync(new URL("../../fixtures/released/0.2.0/journal.json", import.meta.url), "utf8"),
) as Record<"definitions" | "state", Record<string, string>>;

const flags = "--state-dir state --settle-for 300ms --max-retries 0";
const byFlags = `create --service Checkout=${serviceId} --severity MINOR --message D.`;

function createOldWorld(): World {
  const world = createWorld({ files: definitions, env: { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:47811" } });
  for (const [name, text] of Object.entries(state)) {
    const path = join(world.folder, "state", name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }
  return world;
}

/** Has the incidents that the journal knows. */
function createKnowing() {
  const known = new Map<string, unknown>();
  for (const [name, text] of Object.entries(state)) {
    if (!name.startsWith("journal/")) continue;
    const { event } = JSON.parse(text);
    if (event.type === "created") known.set(event.serviceId, event.incident);
  }
  return createService(
    (body) => answer(201, body),
    (asked) => (known.has(asked) ? answer(200, known.get(asked)) : refusal(404)),
  );
}

describe("a state directory of 0.2.0", () => {
  it("is listed whole", async () => {
    const { exitCode, stdout, stderr } = await createOldWorld().run(`journal list -o json ${flags}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const listed = JSON.parse(stdout) as { name: string; state: string }[];
    expect(listed.map(({ name, state: is }) => `${name}: ${is}`).sort()).toEqual([
      "Created: created",
      "Dedup: created",
      "Key: created",
      "Refused: refused",
      "Uncertain: uncertain",
    ]);
  });

  it.each([
    ["create -f created.yaml", 0, 0],
    ["create -f refused.yaml", 0, 1],
    ["create -f uncertain.yaml", 8, 0],
    [`${byFlags} --name Key --key alert-1`, 0, 0],
    [`${byFlags} --name Dedup --dedup-key alert-2`, 0, 0],
    [`${byFlags} --name Dedup --dedup-key alert-3`, 0, 1],
  ])("answers %s with %i, and %i creates are sent", async (line, exitCode, creates) => {
    const { sent, transport } = createKnowing();
    const result = await createOldWorld().run(`${line} ${flags}`, { transport });
    expect([result.exitCode, sent.length], result.stderr).toEqual([exitCode, creates]);
  });
});
