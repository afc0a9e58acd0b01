// The environment that the GitHub action gives to the command: its inputs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "./harness/incident.ts";

const action = parse(readFileSync(new URL("../action.yml", import.meta.url), "utf8"));
const { run } = action.runs.steps.find(({ id }: { readonly id?: string }) => id === "incident");

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
  const folder = temporaryFolder();
  const node = join(folder, "node");
  writeFileSync(node, '#!/bin/sh\nprintf "%s %s" "$INCIDENT_CLI_JOURNAL" "$INPUT_JOURNAL"\n', {
    mode: 0o755,
  });
  const { stdout } = await execa("bash", ["-eo", "pipefail", "-c", run], {
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      COMMAND: command,
      TARGET: ".",
      INPUT_JOURNAL: input,
      INCIDENT_CLI_JOURNAL: ofJob,
      RUNNER_TEMP: folder,
    },
  });
  expect(stdout.trimEnd()).toBe(expected);
});
