// Keys in a file, and keys from the output of a command.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { config, incidentId, unset } from "../harness/builders.ts";
import { access, createWorld, type Setup } from "../harness/incident.ts";

const line = `get ${incidentId}`;
const env = { INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_API_KEY_FILE: "run/secrets/key" };

function worldWith(field: string, files: Setup["files"] = {}) {
  const profile = `defaultProfile: a\nprofiles:\n  a:\n    baseUrl: ${access.baseUrl}\n    accountId: none\n    ${field}\n`;
  return createWorld({ env: unset, files: { [config]: profile, "home/.keep": "", ...files } });
}

const command = (script: string) => `apiKeyCommand: [sh, -c, ${JSON.stringify(script)}]`;

describe("a key file", () => {
  it.each([
    ["beside the settings", "apiKeyFile: key", "home/.config/incident-cli/key"],
    ["in the home directory", "apiKeyFile: ~/key", "home/key"],
  ])("is found %s, and its trailing line end is ignored", async (_, field, file) => {
    const { requests } = await worldWith(field, { [file]: `${access.apiKey}\n` }).run(line);
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${access.apiKey}`);
  });

  it("is never found in the working directory, which others may control", async () => {
    const { exitCode, stderr, requests } = await worldWith("apiKeyFile: key", { key: "stranger" }).run(line);
    expect({ exitCode, requests }).toEqual({ exitCode: 4, requests: [] });
    expect(stderr).toContain("there is no key file");
  });

  it("is refused if it is larger than 1 MiB", async () => {
    const world = createWorld({ files: { "run/secrets/key": "k".repeat(1024 * 1024 + 1) } });
    const { exitCode, stderr, requests } = await world.run(line, { env });
    expect({ exitCode, requests }).toEqual({ exitCode: 4, requests: [] });
    expect(stderr).toContain("run/secrets/key is larger than 1 MiB");
  });

  it("can be named by the environment, as for a container secret", async () => {
    const world = createWorld({ files: { "run/secrets/key": access.apiKey } });
    const { requests } = await world.run(line, { env });
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${access.apiKey}`);
  });

  it.each([
    ["readable by others", 0o644],
    ["writable by others", 0o602],
    ["readable by a group", 0o640],
  ])("is refused if it is %s, with the chmod command that corrects it", async (_, mode) => {
    const world = worldWith("apiKeyFile: ~/key", { "home/key": access.apiKey });
    const file = join(world.folder, "home/key");
    chmodSync(file, mode);
    const refused = await world.run(line);
    expect(refused).toMatchObject({ exitCode: 4, requests: [] });
    expect(refused.stderr).toContain(`chmod 600 ${file}`);
    chmodSync(file, 0o600);
    expect((await world.run(line)).requests).toHaveLength(1);
  });

  it.each([
    ["empty", "", "is empty"],
    ["of two lines", "one\ntwo\n", "line break"],
    ["not text", Buffer.from([0xff, 0xfe]), "is not UTF-8"],
  ])("is refused if it is %s", async (_, content, message) => {
    const { exitCode, stderr, requests } = await worldWith("apiKeyFile: ~/key", { "home/key": content }).run(
      line,
    );
    expect({ exitCode, requests }).toEqual({ exitCode: 4, requests: [] });
    expect(stderr).toContain(message);
  });

  it("is refused if it is a directory", async () => {
    const world = worldWith("apiKeyFile: ~/key");
    mkdirSync(join(world.folder, "home/key"));
    const { exitCode, stderr } = await world.run(line);
    expect(exitCode).toBe(4);
    expect(stderr).toContain("is not a regular file");
  });
});

describe("a key command", () => {
  it("prints the key, and its trailing line end is ignored", async () => {
    const { requests } = await worldWith(`apiKeyCommand: [echo, ${access.apiKey}]`).run(line);
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${access.apiKey}`);
  });

  it("receives its arguments unchanged, without a shell", async () => {
    const field = `apiKeyCommand: [echo, "a;$HOME*|b"]`;
    const { requests } = await worldWith(field).run(line);
    expect(requests[0]?.headers.authorization).toBe("Bearer a;$HOME*|b");
  });

  it("runs in the home directory, so that a checkout cannot supply the program", async () => {
    const world = worldWith("apiKeyCommand: [./print-key]");
    for (const [folder, text] of [
      [".", "stranger"],
      ["home", "own"],
    ] as const) {
      const file = join(world.folder, folder, "print-key");
      writeFileSync(file, `#!/bin/sh\necho ${text}\n`, { mode: 0o700 });
    }
    expect((await world.run(line)).requests[0]?.headers.authorization).toBe("Bearer own");
  });

  it.each([
    ["ends with an error", command("exit 3"), "ended with exit code 3"],
    ["is ended by a signal", command("kill -TERM $$"), "was ended by SIGTERM"],
    ["does not exist", "apiKeyCommand: [no-such-command-anywhere]", "did not start (ENOENT)"],
    ["prints nothing", 'apiKeyCommand: ["true"]', "is empty"],
    ["prints two lines", command("echo a; echo b"), "line break"],
    ["prints without end", "apiKeyCommand: [yes]", "more than 1 MiB"],
  ])("causes a credentials failure if it %s", async (_, field, message) => {
    const { exitCode, stderr, requests } = await worldWith(field).run(line);
    expect({ exitCode, requests }).toEqual({ exitCode: 4, requests: [] });
    expect(stderr).toContain(message);
  });

  it("does not run if the key is not needed", async () => {
    const world = worldWith("apiKeyCommand: [touch, ran]");
    for (const other of ["config show", "validate x.yaml", "logout", `${line} --account wrong`]) {
      await world.run(other);
    }
    expect((await world.run("config show")).stdout).toContain("what touch prints");
    expect(() => chmodSync(join(world.folder, "home/ran"), 0o600)).toThrow("ENOENT");
    await world.run(line);
    chmodSync(join(world.folder, "home/ran"), 0o600);
  });
});
