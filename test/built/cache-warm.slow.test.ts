// `incident cache warm` of the built command: what it keeps, and that the next run of each command is served from it.
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../harness/incident.ts";
import { loadsOf } from "../harness/loads.ts";
import { withSandbox } from "../harness/with-sandbox.ts";

const fixture = join(import.meta.dirname, "../../fixtures/api-outage.yaml");

describe("incident cache warm", () => {
  it("keeps the code of the common commands, and leaves nothing else", async () => {
    const [cache, home, temporary] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    // No setting of the user counts.
    const settings = { INCIDENT_CLI_BASE_URL: "https://example.com", INCIDENT_CLI_PROFILE: "nowhere" };
    const env = { XDG_CACHE_HOME: cache, HOME: home, TMPDIR: temporary };
    const warm = await loadsOf(["cache", "warm"], { env: { ...env, ...settings } });
    expect(warm).toMatchObject({
      exitCode: 0,
      stdout: `the code of 7 commands is kept in ${join(cache, "incident-cli")}`,
      stderr: "",
    });
    expect([readdirSync(home), readdirSync(temporary), readdirSync(cache)]).toEqual([
      [],
      [],
      ["incident-cli"],
    ]);
    await withSandbox(async (service) => {
      for (const line of ["--help", `validate ${fixture}`, "gate", `create -f ${fixture}`]) {
        const { files } = await loadsOf(line.split(" "), { env: { ...service, XDG_CACHE_HOME: cache } });
        const compiled = Object.keys(files).filter((name) => !files[name]);
        expect([line, compiled]).toEqual([line, []]);
      }
    });
  }, 120_000);

  it("says which folder it needs where others can change the one it has", async () => {
    const cache = temporaryFolder();
    chmodSync(cache, 0o777);
    const { exitCode, stderr } = await loadsOf(["cache", "warm"], { env: { XDG_CACHE_HOME: cache } });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: [
        "error: there is no folder for the code cache that only you can change",
        "  next: set XDG_CACHE_HOME to an absolute path outside of a repository",
      ].join("\n"),
    });
  });
});
