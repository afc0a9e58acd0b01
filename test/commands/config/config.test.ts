// `incident config`: each setting with its origin, and only the end of a key.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { config, incidentId, unset } from "../../harness/builders.ts";
import { access, createWorld, incident } from "../../harness/incident.ts";

describe("config show", () => {
  it.each([
    ["its last four characters of sixteen or more", "0123456789abcdef", "…cdef"],
    ["nothing of a shorter key", "0123456789abcde", "…"],
  ])("shows %s of a key", async (_, key, shown) => {
    const { screen } = await incident("config show", { env: { INCIDENT_CLI_API_KEY: key } });
    expect(screen).toMatch(new RegExp(`^apiKey +${shown} +INCIDENT_CLI_API_KEY$`, "m"));
    expect(screen).not.toContain(key.slice(0, 4));
  });

  it("sends nothing, so that it does not know a header of the service's document", async () => {
    const { requests, screen } = await incident("config show", {
      env: { INCIDENT_CLI_ACCOUNT_HEADER: undefined },
    });
    expect(requests).toEqual([]);
    expect(screen).toMatch(/^accountHeader +x-service-account +default, or the service's document$/m);
  });
});

describe("the settings files", () => {
  const project = { ".incident.yaml": "profile: one\n" };
  const filesOf = async (world: ReturnType<typeof createWorld>, line: string, more = {}) => {
    const { userFile, projectFile } = JSON.parse((await world.run(`${line} -o json`, more)).stdout);
    return { userFile, projectFile };
  };

  it("are in the data, without the project's with --no-project", async () => {
    const world = createWorld({ files: { [config]: "profiles: {}\n", ...project } });
    const userFile = join(world.folder, config);
    const projectFile = join(world.folder, ".incident.yaml");
    expect(await filesOf(world, "config show")).toEqual({ userFile, projectFile });
    expect(await filesOf(world, "config show --no-project")).toEqual({ userFile, projectFile: null });
  });

  it("follow XDG_CONFIG_HOME, but ignore a relative path", async () => {
    const world = createWorld();
    const absolute = { env: { XDG_CONFIG_HOME: "/etc/xdg" } };
    expect(await filesOf(world, "config show", absolute)).toMatchObject({
      userFile: "/etc/xdg/incident-cli/config.yaml",
    });
    const relative = { env: { XDG_CONFIG_HOME: "xdg" } };
    expect(await filesOf(world, "config show", relative)).toMatchObject({
      userFile: join(world.folder, config),
    });
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
});
