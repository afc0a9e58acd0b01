// `incident config`: each setting with its origin, and only the end of a key.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { incidentId, unset } from "../../harness/builders.ts";
import { access, createWorld, incident } from "../../harness/incident.ts";

const config = "home/.config/incident-cli/config.yaml";

describe("config show", () => {
  it.each([
    ["its last four characters of sixteen or more", "0123456789abcdef", "…cdef"],
    ["nothing of a shorter key", "0123456789abcde", "…"],
  ])("shows %s of a key", async (_, key, shown) => {
    const { screen } = await incident("config show", { env: { INCIDENT_CLI_API_KEY: key } });
    expect(screen).toMatch(new RegExp(`^apiKey +${shown} +INCIDENT_CLI_API_KEY$`, "m"));
    expect(screen).not.toContain(key.slice(0, 4));
  });

  it("shows incomplete settings, and names the missing ones", async () => {
    const { exitCode, stdout, stderr } = await incident("config show", {
      env: { ...unset, INCIDENT_CLI_BASE_URL: "https://api.example" },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^baseUrl +https:\/\/api\.example +INCIDENT_CLI_BASE_URL$/m);
    expect(stdout).toMatch(/^apiKey +not set$/m);
    expect(stderr).toContain(
      "warning: the API key and the account are not set; run incident login, or set INCIDENT_CLI_API_KEY",
    );
  });

  it("shows the reason why a key file cannot be used", async () => {
    const { stdout } = await incident("config show", {
      env: { INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_API_KEY_FILE: "nowhere" },
    });
    expect(stdout).toMatch(/^apiKey +not usable: there is no key file .*nowhere/m);
  });

  it("sends nothing", async () => {
    expect((await incident("config show")).requests).toEqual([]);
  });
});

describe("config path", () => {
  const project = { ".incident.yaml": "profile: one\n" };

  it("prints the user's file, then the project's", async () => {
    const world = createWorld({ files: { [config]: "profiles: {}\n", ...project } });
    const { stdout, stderr } = await world.run("config path");
    expect(stdout).toBe(`${join(world.folder, config)}\n${join(world.folder, ".incident.yaml")}\n`);
    expect(stderr).toBe("");
  });

  it("notes a missing user's file, and omits the project's file with --no-project", async () => {
    const world = createWorld({ files: project });
    const { stdout, stderr } = await world.run("config path --no-project");
    expect(stdout).toBe(`${join(world.folder, config)}\n`);
    expect(stderr).toContain("does not exist yet; incident login creates it");
  });

  it("follows XDG_CONFIG_HOME, but ignores a relative path", async () => {
    const world = createWorld();
    const absolute = await world.run("config path", { env: { XDG_CONFIG_HOME: "/etc/xdg" } });
    expect(absolute.stdout).toBe("/etc/xdg/incident-cli/config.yaml\n");
    const relative = await world.run("config path", { env: { XDG_CONFIG_HOME: "xdg" } });
    expect(relative.stdout).toBe(`${join(world.folder, config)}\n`);
  });
});

describe("a project's file", () => {
  const profiles = `profiles:\n  one: { baseUrl: ${access.baseUrl}, accountId: none, apiKey: ${access.apiKey} }\n`;
  const line = `get ${incidentId}`;

  it("chooses a profile by its name", async () => {
    const files = { [config]: profiles, ".incident.yaml": "profile: one\n" };
    const { requests } = await incident(line, { env: unset, files });
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${access.apiKey}`);
  });

  it("is named in the error about a missing profile", async () => {
    const { exitCode, stderr } = await incident(line, {
      env: unset,
      files: { ".incident.yaml": "profile: two" },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/there is no profile "two" \(named by .*\.incident\.yaml:1\)/);
  });

  it("is found from a subfolder, up to the root of the repository", async () => {
    const world = createWorld({ files: { ".incident.yaml": "broken: [" } });
    mkdirSync(join(world.folder, "repository/.git"), { recursive: true });
    mkdirSync(join(world.folder, "repository/below"));
    const inRepository = { cwd: "repository/below" };
    expect((await world.run("config path", inRepository)).stdout).not.toContain(".incident.yaml");
    expect((await world.run("config path")).stdout).toContain(".incident.yaml");
  });

  it("is ignored with --no-project, even if it is broken", async () => {
    const files = { ".incident.yaml": "profile: [" };
    expect((await incident(line, { files })).exitCode).toBe(2);
    expect((await incident(`${line} --no-project`, { files })).exitCode).toBe(5);
  });
});
