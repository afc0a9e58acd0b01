// The environment that the GitHub action gives to the command: its inputs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "./harness/incident.ts";

const action = parse(readFileSync(new URL("../action.yml", import.meta.url), "utf8"));
const { run } = action.runs.steps.find(({ id }: { readonly id?: string }) => id === "incident");

/** What the action gives to the command: `shown` prints it. */
async function act(env: Readonly<Record<string, string>>, shown: string): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "node"), `#!/bin/sh\n${shown}\n`, { mode: 0o755 });
  const { stdout } = await execa("bash", ["-eo", "pipefail", "-c", run], {
    env: { ...env, PATH: `${folder}:${process.env.PATH}`, TARGET: "incidents", RUNNER_TEMP: folder },
  });
  return stdout.trimEnd();
}

it("checks by validate what apply refuses", async () => {
  const words = await act({ COMMAND: "validate" }, 'shift; printf "%s " "$@"');
  expect(words).toBe("validate -R incidents --for apply -o github");
});

it.each([
  ["gate", "git:", "postgres://db/ops", "git:"],
  // An input that is not given.
  ["gate", "", "postgres://db/ops", "postgres://db/ops"],
  ["apply", "", "postgres://db/ops", "postgres://db/ops"],
  ["apply", "", "", "git:"],
  ["create", "", "", "git:"],
  // It may have no checkout, and reads the list of the service.
  ["gate", "", "", ""],
])("of %s with the input journal %j and that of the job %j", async (command, input, ofJob, expected) => {
  const env = { COMMAND: command, INPUT_JOURNAL: input, INCIDENT_CLI_JOURNAL: ofJob };
  expect(await act(env, 'printf "%s %s" "$INCIDENT_CLI_JOURNAL" "$INPUT_JOURNAL"')).toBe(expected);
});
