// The share of the rate limit that the GitHub action gives to each job of a matrix.
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "./harness/incident.ts";

const action = parse(readFileSync(new URL("../action.yml", import.meta.url), "utf8"));
const { run } = action.runs.steps.find(({ id }: { readonly id?: string }) => id === "incident");

it.each([
  ["1", {}, ""],
  ["8", {}, "75/60s"],
  ["7", {}, "85/60s"],
  ["1000", {}, "1/60s"],
  // A rate that somebody chose stays.
  ["8", { INCIDENT_CLI_RATE: "10/60s" }, "10/60s"],
])("of a matrix of %s", async (jobs, env, expected) => {
  const folder = temporaryFolder();
  const node = join(folder, "node");
  writeFileSync(node, '#!/bin/sh\nprintf "%s" "$INCIDENT_CLI_RATE"\n');
  chmodSync(node, 0o755);
  const { stdout } = await execa("bash", ["-eo", "pipefail", "-c", run], {
    env: {
      ...env,
      PATH: `${folder}:${process.env.PATH}`,
      JOBS: jobs,
      COMMAND: "apply",
      TARGET: ".",
      RUNNER_TEMP: folder,
    },
  });
  expect(stdout).toBe(expected);
});
