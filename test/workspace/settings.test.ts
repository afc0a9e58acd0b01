// Settings from the command line: missing ones, precedence, and invalid ones, which stop a command before any request.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Files } from "../../src/platform/context.ts";
import { config, definitionYaml, incidentId as id, unset } from "../harness/builders.ts";
import { access, createWorld, incident } from "../harness/incident.ts";

const line = `get ${id}`;

const profile = `defaultProfile: one
profiles:
  one:
    baseUrl: http://127.0.0.1:1
    accountId: ${access.accountId}
    apiKey: ${access.apiKey}
  other:
    baseUrl: https://other.example
    accountId: none
    apiKey: other-key-0123456789
    accountHeader: X-Account
  keyless:
    baseUrl: http://127.0.0.1:1
    accountId: ${access.accountId}
`;
const files = { [config]: profile };

describe("settings", () => {
  it.each([
    ["the environment", {}, "", `${access.baseUrl}/v1`, access.apiKey],
    ["the default profile", unset, "", "http://127.0.0.1:1/v1", access.apiKey],
    [
      "a profile by its variable",
      { ...unset, INCIDENT_CLI_PROFILE: "other" },
      "",
      "https://other.example/v1",
      "other-key-0123456789",
    ],
    ["--profile first", {}, " --profile other", "https://other.example/v1", "other-key-0123456789"],
    [
      "a key from the environment for a profile that has none",
      { ...unset, INCIDENT_CLI_PROFILE: "keyless", INCIDENT_CLI_API_KEY: "from-environment" },
      "",
      "http://127.0.0.1:1/v1",
      "from-environment",
    ],
  ])("uses %s", async (_, env, flags, url, key) => {
    const { requests } = await incident(line + flags, { env, files });
    expect(requests[0]?.url).toContain(url);
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it.each([
    ["validate a.yaml", 0],
    [line, 5],
    ["doctor", 2],
    ["login --profile one --base-url https://one.example --account none --api-key-stdin", 2],
  ])("runs %s without a file of settings where its folder is no folder", async (command, exitCode) => {
    const env = { XDG_CONFIG_HOME: "/dev/null", ...(exitCode === 2 && unset) };
    const files = { "a.yaml": definitionYaml() };
    const result = await incident(command, { env, files, stdin: "test-key-0123456789" });
    expect(result.stderr).not.toContain("bug in incident");
    expect(result.exitCode, result.stderr).toBe(exitCode);
  });

  it("sends the account in the profile's header, and no header for none", async () => {
    const none = await incident(`${line} --profile other`, { files });
    expect(Object.keys(none.requests[0]?.headers ?? {})).toEqual([
      "accept",
      "authorization",
      "user-agent",
      "accept-encoding",
    ]);
    const result = await incident(`${line} --profile other --account ${access.accountId}`, { files });
    expect(result.requests[0]?.headers).toMatchObject({ "x-account": access.accountId });
  });

  it("names the profiles beside an unknown one", async () => {
    const env = { INCIDENT_CLI_PROFILE: "none-such" };
    const result = await incident(line, { env, files });
    expect(result).toMatchObject({ exitCode: 2, requests: [] });
    expect(result.stderr).toContain("the profiles are: one, other, keyless");
  });

  it("refuses another base URL under the pin, even from a profile", async () => {
    const env = { INCIDENT_CLI_SANDBOX: access.baseUrl };
    const result = await incident(`${line} --profile other`, { env, files });
    expect(result).toMatchObject({ exitCode: 2, requests: [] });
    expect((await incident(line, { env })).requests).toHaveLength(1);
  });

  it("refuses a file with a key that others can read, and names the chmod command that corrects it", async () => {
    const world = createWorld({ env: unset, files });
    const file = join(world.folder, config);
    chmodSync(file, 0o644);
    const { exitCode, stderr, requests } = await world.run(line);
    expect({ exitCode, requests }).toEqual({ exitCode: 4, requests: [] });
    expect(stderr).toContain(`chmod 600 ${file}`);
    chmodSync(file, 0o600);
    expect((await world.run(line)).requests).toHaveLength(1);
  });

  it("shows the position of an error in the file, but not the text", async () => {
    const broken = profile.replace("baseUrl: http://127.0.0.1:1", "baseurl: x");
    const { exitCode, stderr } = await incident(line, { env: unset, files: { [config]: broken } });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/config\.yaml:4:5: error: this is not a field here/);
    expect(stderr).toContain("did you mean baseUrl?");
  });

  it.each([
    ["a number", "apiKey: 12345678901234567890"],
    ["as the account", "accountId: 12345678901234567890"],
    ["without a space after the colon", "apiKey:12345678901234567890"],
    ["as a field's name", "12345678901234567890: apiKey"],
    ["as a field's name with a look-alike", "12345678901234567890\u200b: apiKey"],
    ["under an alias", "apiKey: *12345678901234567890"],
    ["under a tag", "apiKey: !12345678901234567890 x"],
    ["in an open quote", 'apiKey: "12345678901234567890'],
    ["in a list", "apiKey: [12345678901234567890]"],
    ["written twice", "apiKey: 12345678901234567890x\n    apiKey: 12345678901234567890y"],
    ["in another key", "webUrl: 12345678901234567890"],
  ])("never repeats a key of an invalid file: %s", async (_, text) => {
    const files = { [config]: `profiles:\n  one:\n    ${text}\n` };
    for (const output of ["", " -o json"]) {
      const { exitCode, screen } = await incident(`${line} --profile one${output}`, { env: unset, files });
      expect(exitCode).toBe(2);
      expect(screen).toContain("config.yaml");
      expect(screen).not.toContain("1234567890");
    }
  });

  it("never repeats a key that was set as the account", async () => {
    const { exitCode, screen } = await incident(line, { env: { INCIDENT_CLI_ACCOUNT_ID: access.apiKey } });
    expect(exitCode).toBe(2);
    expect(screen).not.toContain(access.apiKey);
  });
});

describe("base URL, key and account belong together", () => {
  it.each([
    [
      "the environment's key for a profile with a key of its own",
      "",
      { ...unset, INCIDENT_CLI_API_KEY: "from-environment" },
      ["INCIDENT_CLI_API_KEY", "config.yaml:4"],
    ],
    [
      "the environment's key, with its own base URL, for a profile without a key",
      " --profile keyless",
      { ...unset, INCIDENT_CLI_API_KEY: "from-environment", INCIDENT_CLI_BASE_URL: "https://env.example" },
      ["INCIDENT_CLI_API_KEY", "config.yaml:13"],
    ],
    [
      "a stored key for the environment's base URL",
      "",
      { ...unset, INCIDENT_CLI_BASE_URL: "https://env.example" },
      ["config.yaml:6", "INCIDENT_CLI_BASE_URL"],
    ],
  ])("refuses %s, and names both", async (_, flags, env, names) => {
    const { exitCode, stderr, requests } = await incident(line + flags, { env, files });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    for (const name of names) expect(stderr).toContain(name);
  });

  it("uses nothing of the environment with --profile except for a missing key", async () => {
    const env = {
      INCIDENT_CLI_BASE_URL: "",
      INCIDENT_CLI_ACCOUNT_ID: "22222222-2222-4333-8444-555555555555",
    };
    const { requests } = await incident(`${line} --profile keyless`, { env, files });
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${access.apiKey}`,
      "x-service-account": access.accountId,
    });
  });

  it("does not apply the service settings of a profile to another service", async () => {
    const env = { INCIDENT_CLI_PROFILE: "other" };
    const { requests } = await incident(line, { env, files });
    expect(requests[0]?.headers).toHaveProperty("x-service-account");
  });
});

describe("a profile that another user controls", () => {
  const foreign = { uid: 1234, gid: 1234 };
  /** Every file and folder with `part` in its path belongs to another user, or has another mode. */
  const pretend =
    (part: string, change: { readonly uid?: number; readonly mode?: number }) => (files: Files) => {
      const changed = new Set<number>();
      return {
        ...files,
        statSync: ((path: string, options?: { throwIfNoEntry: false }) => {
          const stat = files.statSync(path, options);
          return stat && path.endsWith(part) ? Object.assign(stat, change) : stat;
        }) as Files["statSync"],
        openSync: (path, ...more) => {
          const descriptor = files.openSync(path, ...more);
          if (String(path).endsWith(part)) changed.add(descriptor);
          else changed.delete(descriptor);
          return descriptor;
        },
        fstatSync: ((descriptor: number) => {
          const stat = files.fstatSync(descriptor);
          return changed.has(descriptor) ? Object.assign(stat, change) : stat;
        }) as Files["fstatSync"],
      } satisfies Files;
    };
  const files = { [config]: "profiles: { own: { apiKeyCommand: [touch, pwned] } }\ndefaultProfile: own\n" };

  it.each([
    [
      "config.yaml",
      foreign,
      "config.yaml is not used: it belongs to another user (uid 1234)",
      "without sudo; or set XDG_CONFIG_HOME to a folder of your own",
    ],
    ["config.yaml", { mode: 0o100622 }, "config.yaml can be changed by other users", "run chmod 600"],
  ])("is not obeyed: %s with %j", async (part, change, message, next) => {
    const world = createWorld({ env: unset, files });
    for (const command of [line, "login", "config show"]) {
      const { exitCode, stderr, requests } = await world.run(command, {
        wrapFiles: pretend(part, change),
        terminal: { stdin: true, stdout: true, stderr: true, columns: 400 },
      });
      expect({ exitCode, requests }).toEqual({ exitCode: 4, requests: [] });
      expect(stderr).toContain(message);
      expect(stderr).toContain(next);
    }
    expect(existsSync(join(world.folder, "home/pwned"))).toBe(false);
  });

  it("does not stop a command whose settings all come from the environment", async () => {
    const { exitCode } = await incident(line, { files, wrapFiles: pretend("config.yaml", foreign) });
    expect(exitCode).toBe(5);
  });
});
