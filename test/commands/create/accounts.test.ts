// The account of each service in a create: the account of the settings where the definition has none.
import { describe, expect, it } from "vitest";
import { access, definitionYaml, incidentId as id, serviceId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

const pinnedTo = (accountId: string) => `[{ name: Checkout, id: ${serviceId}, accountId: ${accountId} }]`;
const files = {
  "plain-id.yaml": definitionYaml({ id }),
  "pinned-id.yaml": definitionYaml({ id, services: pinnedTo(access.accountId) }),
  "folder/x.yaml": definitionYaml({ id }),
};

describe("the account of a service", () => {
  it.each([
    ["plain-id.yaml", "pinned-id.yaml"],
    ["pinned-id.yaml", "plain-id.yaml"],
  ])("is no edit: %s, then %s, is one incident", async (first, second) => {
    const world = createWorld({ files });
    expect((await world.run(`create -f ${first}`)).exitCode).toBe(0);
    const stderr = expect.stringContaining("already declared");
    expect(await world.run(`create -f ${second}`)).toMatchObject({ exitCode: 0, posts: 0, stderr });
  });

  it("of another account is another content", async () => {
    const world = createWorld({ files });
    await world.run("create -f plain-id.yaml");
    const stdin = definitionYaml({ id, services: pinnedTo("99999999-0d3a-4a5e-9b58-6a1f5f0c7d11") });
    const { exitCode, stderr } = await world.run("create -f -", { stdin });
    expect(exitCode).toBe(6);
    expect(stderr).toContain("was changed since it was declared");
  });

  it("that get -o definition writes is no drift and no edit", async () => {
    const world = createWorld({ files });
    await world.run("apply -f folder");
    const { stdout } = await world.run(`get ${id} -o definition`);
    expect(stdout).toContain(access.accountId);
    expect(await world.run("apply -f -", { stdin: stdout })).toMatchObject({ exitCode: 0, posts: 0 });
  });
});
