import { expect, it } from "vitest";
import { specs } from "../../src/cli/registry.ts";
import { incident } from "../harness/incident.ts";

it("help --json has every command, flag, exit code and example", async () => {
  const { exitCode, stdout } = await incident("help --json");
  expect(exitCode).toBe(0);
  const reference = JSON.parse(stdout);
  expect(reference).toMatchObject({ formatVersion: 1, name: "incident" });
  expect(reference.commands.map(({ name }: { name: string }) => name)).toEqual(specs.map(({ name }) => name));
  const create = reference.commands.find(({ name }: { name: string }) => name === "create");
  expect(create.flags).toContainEqual({
    name: "--file",
    short: "-f",
    type: "string",
    value: "path",
    repeatable: true,
    default: null,
    choices: null,
    summary: "a YAML file, a folder, or - for stdin (repeatable)",
  });
  expect(reference.globalFlags).toContainEqual(
    expect.objectContaining({ name: "--timeout", type: "duration", default: "30s" }),
  );
  expect(reference.exitCodes).toContainEqual(expect.objectContaining({ code: 8, kind: "uncertain" }));
  for (const { examples } of reference.commands) expect(examples.length).toBeGreaterThan(0);
});
