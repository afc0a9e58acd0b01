// Every setting of a profile but the command of a key has a variable, so that a pipeline needs no file.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { environmentVariables, type ProfileField, settingRows } from "../../src/workspace/settings.ts";
import { incidentId } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

/** The variable of each setting, a value other than the default, and what `config show` says of it. */
const variables = {
  baseUrl: ["baseUrl", "https://other.example", "https://other.example"],
  accountId: ["accountId", "none", "none"],
  apiKey: ["apiKey", "other-key-0123456789", "…6789"],
  apiKeyFile: ["apiKeyFile", "key", "in "],
  accountHeader: ["accountHeader", "x-other", "x-other"],
  journal: ["journal", "git:", "git:"],
  webUrl: ["webUrl", "https://app.example/{id}", "https://app.example/{id}"],
} as const satisfies Record<
  Exclude<ProfileField, "apiKeyCommand">,
  readonly [variable: keyof typeof environmentVariables, value: string, shown: string]
>;

describe("the variables of the settings", () => {
  it("are of every setting that a profile can have", () => {
    const fields = Object.entries(settingRows).flatMap(([name, { inProfile }]) => (inProfile ? [name] : []));
    expect(fields.toSorted()).toEqual([...Object.keys(variables), "apiKeyCommand"].toSorted());
  });

  it.each(Object.entries(variables))("state %s", async (field, [variable, value, shown]) => {
    const name = environmentVariables[variable];
    const isKey = field.startsWith("apiKey");
    const env = { ...(isKey && { INCIDENT_CLI_API_KEY: undefined }), [name]: value };
    const { stdout } = await incident("config show -o json", { env, files: { key: "other-key-0123456789" } });
    const found = JSON.parse(stdout).settings.find(
      (each: { name: string }) => each.name === (isKey ? "apiKey" : field),
    );
    expect(found.origin).toContain(name);
    expect(found.value).toContain(shown);
  });

  it("is neither empty nor advised where --profile takes it away", async () => {
    const config = JSON.stringify({ profiles: { other: {} } });
    const { exitCode, stderr } = await incident(`get ${incidentId} --profile other`, {
      files: { "home/.config/incident-cli/config.yaml": config },
    });
    expect(exitCode).toBe(2);
    const said = stderr.replace(/\s+/g, " ");
    expect(said).toContain("the base URL and the account are not set");
    expect(said).toContain('or set baseUrl, accountId in profile "other"');
  });
});

it("the page on settings has the flag, the variable and the field of each row of the table", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  const missing = Object.entries(settingRows).flatMap(([name, { flag, inProfile, variable }]) =>
    [flag, name === "sandboxPin" ? undefined : variable, inProfile && name]
      .filter((word) => word !== undefined)
      .filter((word) => !page.includes(`\`${word}`)),
  );
  expect(missing).toEqual([]);
});

it("a project's file cannot have a field of a profile", async () => {
  for (const [name, { inProfile }] of Object.entries(settingRows)) {
    if (inProfile === undefined) continue;
    const files = { ".incident.yaml": `${name}: x\n` };
    const { exitCode, stderr } = await incident("config show", { files });
    expect({ name, exitCode }).toEqual({ name, exitCode: 2 });
    expect(stderr).toContain(".incident.yaml:1:1: error: this is not a field here");
  }
});
