// A misspelt variable is told, and its value is not.
import { describe, expect, it } from "vitest";
import { definitionYaml } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

const files = { "a.yaml": definitionYaml() };

describe("a variable that incident does not know", () => {
  it.each([
    ["INCIDENT_CLI_JORNAL", "; did you mean INCIDENT_CLI_JOURNAL?"],
    ["INCIDENT_CLI_APIKEY", "; did you mean INCIDENT_CLI_API_KEY?"],
    ["INCIDENT_CLI_TIMEZONE_OF_TEAM", ""],
  ])("%s is a warning of each command, without its value", async (name, suggestion) => {
    const env = { [name]: "a-secret-0123456789" };
    for (const line of ["create -f a.yaml", "validate a.yaml", "journal list"]) {
      const { exitCode, screen, stderr } = await incident(line, { files, env });
      expect([line, exitCode]).toEqual([line, 0]);
      expect(stderr).toContain(
        `warning: incident knows no variable ${name}, so it has no effect${suggestion}`,
      );
      expect(screen).not.toContain("a-secret");
    }
  });

  it("is no warning where it is empty, or of another tool", async () => {
    const env = { INCIDENT_CLI_JORNAL: "", INCIDENT_API_KEY: "x", INCIDENT_CLIENT: "y" };
    expect((await incident("validate a.yaml", { files, env })).stderr).not.toContain("knows no variable");
  });
});
