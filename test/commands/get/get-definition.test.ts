// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serviceId } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { createWorld, incident } from "../../harness/incident.ts";
import { definition, sentBody } from "../sample-definition.ts";

const fixtures = new URL("../../../fixtures/", import.meta.url);
const names = readdirSync(fixtures).filter((name) => name.endsWith(".yaml") && name !== "batch.yaml");

describe("incident get -o definition", () => {
  it.each(names)("returns the definition that created %s", async (name) => {
    const world = createWorld({ files: { "x.yaml": readFileSync(new URL(name, fixtures)) } });
    const { requests, stdout } = await world.run("create -f x.yaml -o id");
    const got = await world.run(`get ${stdout.trim()} -o definition`);
    expect(got).toMatchObject({ exitCode: 0, stderr: "" });
    writeFileSync(join(world.folder, "got.yaml"), got.stdout);
    const again = await world.run("create -f got.yaml -o id");
    expect(again, again.stderr).toMatchObject({ exitCode: 0, stdout });
    // At a service that does not have it: a dry run of an incident that exists has nothing to send.
    const files = { "got.yaml": got.stdout };
    const { stdout: dry } = await incident("create -f got.yaml --dry-run -o json", { files });
    expect(JSON.parse(JSON.parse(dry).body)).toEqual(sentBody(requests));
  });

  it.each(["honour", "ignore", "reject"] as const)(
    "is the same incident again: ids %s",
    async (clientIds) => {
      const world = createWorld({ files: { "x.yaml": definition }, sandbox: { clientIds, onlySpec: false } });
      const id = (await world.run("create -f x.yaml -o id")).stdout.trim();
      writeFileSync(join(world.folder, "got.yaml"), (await world.run(`get ${id} -o definition`)).stdout);
      for (const line of ["apply -f got.yaml --dry-run", "apply -f got.yaml", "create -f got.yaml"]) {
        const { exitCode, requests, stderr } = await world.run(line);
        expect(exitCode, stderr).toBe(0);
        expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
      }
      const more = "  - status: IDENTIFIED\n    description: A full disk.\n";
      appendFileSync(join(world.folder, "got.yaml"), more);
      expect(await world.run("apply -f got.yaml")).toMatchObject({ exitCode: 0 });
      expect(world.sandbox.incidents().map(({ incidentUpdates }) => incidentUpdates.length)).toEqual([2]);
      expect((await world.run("apply -f got.yaml")).stdout).toContain("= unchanged");
    },
  );

  it("omits the fields that the service set, and keeps the id", async () => {
    const world = createWorld({ files: { "x.yaml": definition } });
    const id = (await world.run("create -f x.yaml -o id")).stdout.trim();
    expect((await world.run(`get ${id} -o definition`)).stdout).toBe(`id: ${id}
name: Checkout fails
severity: MAJOR
services:
  - name: Checkout
    id: ${serviceId}
    accountId: 11111111-2222-4333-8444-555555555555
incidentUpdates:
  - status: INVESTIGATING
    description: We are looking into it.
    notifySubscribers: false
`);
  });

  it("keeps the id of a service that is shown by it alone, and leaves its name to the author", async () => {
    const world = createWorld({ files: { "x.yaml": definition }, sandbox: { onlySpec: false } });
    const id = (await world.run("create -f x.yaml -o id")).stdout.trim();
    const transport = rewriting(world.sandbox, (text) =>
      text.replace(/"services":\s*\[[^\]]*\]/, `"services":["${serviceId}"]`),
    );
    const { stdout } = await world.run(`get ${id} -o definition`, { transport });
    expect(stdout).toContain(`services:\n  - name: CHANGEME\n    id: ${serviceId}\n`);
    const file = join(world.folder, "got.yaml");
    writeFileSync(file, stdout);
    const { exitCode, stderr } = await world.run("validate got.yaml");
    expect([exitCode, stderr.match(/got\.yaml:5:11/g)?.length], stderr).toEqual([3, 1]);
    writeFileSync(file, stdout.replace("CHANGEME", "Checkout"));
    const applied = await world.run("apply got.yaml", { transport });
    expect(applied, applied.stderr).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("= unchanged"),
    });
  });

  it("escapes text that looks like a variable", async () => {
    const name = "pay ${amount} or $${this} or ${";
    const world = createWorld({ files: { "x.yaml": definition } });
    const id = (
      await world.run("create -f x.yaml --name 'pay ${amount} or $${this} or ${' -o id")
    ).stdout.trim();
    const files = { "got.yaml": (await world.run(`get ${id} -o definition`)).stdout };
    const { stdout } = await incident("create -f got.yaml --dry-run -o json", { files });
    expect(JSON.parse(JSON.parse(stdout).body).name).toBe(name);
  });

  it("writes a document for each incident", async () => {
    const world = createWorld({
      files: { "x.yaml": `${definition}---\n${definition.replace("fails", "works")}` },
    });
    const ids = (await world.run("create -f x.yaml -o id")).stdout.trim().split("\n");
    writeFileSync(
      join(world.folder, "got.yaml"),
      (await world.run(`get ${ids.join(" ")} -o definition`)).stdout,
    );
    expect((await world.run("validate got.yaml")).stdout).toBe("2 definitions in 1 file: valid\n");
  });
});
