// The first incident on a new machine, from the installation to the read-back, in a shell. docs/on-call.md shows
// the transcript. Run `npm run build` first; `-u` records it again.
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { access, incidentId, serviceId } from "../harness/builders.ts";
import { documents } from "../harness/documents.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { packPackage } from "./package.ts";

const root = join(import.meta.dirname, "../..");
const golden = join(root, "fixtures/transcripts/screens/three-am.txt");

/** As the transcript shows them, without a version, so that a release does not change it. */
const commands = [
  "npm install --global ./incident-cli-*.tgz",
  `export INCIDENT_CLI_BASE_URL=https://api.example.com INCIDENT_CLI_API_KEY=… \\
    INCIDENT_CLI_ACCOUNT_ID=${access.accountId}`,
  `id=$(incident create --name "Checkout fails" --severity major --service "Checkout=${serviceId}" \\
    --message "We are looking into failed payments." -o id)`,
  "incident get $id",
];

it("takes at most six commands, and docs/on-call.md shows them", async () => {
  expect(commands.length).toBeLessThanOrEqual(6);
  const folder = temporaryFolder();
  await packPackage(folder);
  await withSandbox(async (service) => {
    let shown = "";
    let variables = "";
    for (const line of commands) {
      const real = line
        .replace("https://api.example.com", service.INCIDENT_CLI_BASE_URL ?? "")
        .replace("…", service.INCIDENT_CLI_API_KEY ?? "")
        .replace(/^npm .*/, (npm) => `${npm} --offline --ignore-scripts --no-audit --no-fund 2>/dev/null`);
      const script = `${variables}\n${real}\ndeclare -p > variables`;
      const { all, exitCode } = await execa("bash", ["-c", script], {
        cwd: folder,
        all: true,
        reject: false,
        env: {
          HOME: folder,
          XDG_CONFIG_HOME: "",
          XDG_STATE_HOME: "",
          TZ: "Etc/GMT-1",
          npm_config_prefix: join(folder, "global"),
          PATH: `${join(folder, "global/bin")}:${process.env.PATH}`,
        },
      });
      expect({ line, exitCode, all }).toMatchObject({ exitCode: 0 });
      variables = "source ./variables 2>/dev/null";
      shown += `$ ${line}\n${all === "" ? "" : `${all.trimStart()}\n`}`;
    }
    const id = /declared (\S+)/.exec(shown)?.[1] ?? "none";
    const stable = shown
      .replaceAll(id, incidentId)
      .replace(/in \d+m?s/, "in 2s")
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-11-20 03:07")
      .replace(/\d{4}-\d\d-\d\d$/gm, "2026-11-20");
    await expect(stable).toMatchFileSnapshot(golden);
    expect(documents.get("docs/on-call.md")).toContain(stable.trimEnd());
  });
});
