import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { specs } from "../../src/cli/registry.ts";
import { incident } from "../harness/incident.ts";

interface Reference {
  readonly commands: readonly {
    readonly name: string;
    readonly failures: readonly { readonly exitCode: number }[];
  }[];
}

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

it.each(["help --json create", "help create --json"])(
  "%s has that command alone, with its failures",
  async (line) => {
    const { exitCode, stdout } = await incident(line);
    expect(exitCode).toBe(0);
    expect(stdout.length).toBeLessThan(20_000);
    const { failures, flags, name } = JSON.parse(stdout);
    expect(name).toBe("create");
    expect(flags).toContainEqual(expect.objectContaining({ name: "--confirm" }));
    const retryable = failures.filter((failure: { retryable: boolean }) => failure.retryable);
    expect(retryable.map(({ exitCode }: { exitCode: number }) => exitCode)).toEqual([7, 10]);
    expect(failures).toContainEqual(
      expect.objectContaining({ kind: "uncertain", exitCode: 8, retryable: false }),
    );
    expect(failures).not.toContainEqual(expect.objectContaining({ kind: "blocked" }));
  },
);

it("help --json names a command of two words, and refuses an unknown one", async () => {
  expect(JSON.parse((await incident("help --json journal settle")).stdout).name).toBe("journal settle");
  const { exitCode, stderr } = await incident("help --json craete");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("incident help commands");
});

it("help --json has every failure that the golden file shows for a command", async () => {
  const { commands } = JSON.parse((await incident("help --json")).stdout) as Reference;
  const names = commands.map(({ name }) => name).sort((one, other) => other.length - one.length);
  const golden = readFileSync(new URL("../../fixtures/words/failures.txt", import.meta.url), "utf8");
  const missing = golden.split(/^\$ incident (?=.)/m).filter((shown) => {
    const code = Number(/^\[exit (\d+)\]$/m.exec(shown)?.[1] ?? 0);
    const name = names.find((each) => shown.startsWith(each));
    const known = commands.find((command) => command.name === name);
    return known !== undefined && code !== 0 && !known.failures.some(({ exitCode }) => exitCode === code);
  });
  expect(missing).toEqual([]);
});
