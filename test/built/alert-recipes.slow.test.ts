// Runs the recipes of docs/alerts.md and fixtures/receivers/ with the built command against the sandbox: each declares one incident.
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { documents } from "../harness/documents.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { withSandbox } from "../harness/with-sandbox.ts";
import { runSteps } from "../harness/workflow-runner.ts";
import { shellCommand } from "./program.ts";

const root = new URL("../../", import.meta.url).pathname;
const page = documents.get("docs/alerts.md") ?? "";
const body = (name: string) => readFileSync(join(root, `fixtures/alerts/${name}.json`), "utf8");

const receiver = (name: string) => readFileSync(join(root, "fixtures/receivers", name), "utf8");

/** The code block that has the text. */
const block = (text: string) =>
  [...page.matchAll(/^```\w+\n(.*?)^```$/gms)]
    .map(([, code]) => code as string)
    .find((code) => code.includes(text)) ?? "";

const service = "{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }";

/** A folder with the templates, and the command on the PATH. */
function createPlace() {
  const folder = temporaryFolder();
  cpSync(join(root, "fixtures/incident-templates"), join(folder, "incident-templates"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  };
  write("bin/incident", `#!/bin/sh\nexec ${shellCommand} "$@"\n`);
  write(".incident.yaml", `services:\n  checkout: ${service}\n`);
  const env = (settings: Readonly<Record<string, string>>) => ({
    ...settings,
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
  });
  const run = async (line: string, settings: Readonly<Record<string, string>>, input = "") => {
    const options = {
      cwd: folder,
      env: env(settings),
      extendEnv: false,
      reject: false,
      input,
      stripFinalNewline: false,
    } as const;
    const { exitCode, stdout, stderr } = await execa("sh", ["-c", line], options);
    return { exitCode, stdout, stderr };
  };
  return { folder, write, run, env };
}

/** The service, and a state directory of its own. */
type Settings = Readonly<Record<string, string>>;

const inSandbox = (test: (own: Settings) => Promise<void>) => () => withSandbox(test);

describe("the recipe", () => {
  it(
    "of a CGI program answers by the exit code",
    inSandbox(async (own) => {
      const place = createPlace();
      place.write("alerts", receiver("cgi.sh"));
      const post = (text: string, more = {}) => place.run("./alerts", { ...own, ...more }, text);
      const first = await post(body("alertmanager-page"));
      expect(first).toMatchObject({ exitCode: 0, stdout: "Status: 204 No Content\n\n" });
      const again = await post(body("alertmanager-page"));
      expect(again).toMatchObject({ stdout: first.stdout, stderr: expect.stringContaining("already open ") });
      expect((await post(body("alertmanager-resolved"))).stdout).toBe(first.stdout);
      expect((await post("<html>")).stdout).toBe("Status: 400 Bad Request\n\n");
      const refused = await post(body("alertmanager-page"), { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:9" });
      expect(refused.stdout).toBe("Status: 503 Service Unavailable\n\n");
    }),
  );

  it(
    "of cron declares one incident while the check fails",
    inSandbox(async (own) => {
      const place = createPlace();
      const [, line = ""] = /^\*\/5 \* \* \* \* (.*)$/m.exec(block("# crontab")) ?? [];
      place.write("bin/check-checkout", "#!/bin/sh\nexit 1\n");
      const failing = [await place.run(line, own), await place.run(line, own)];
      expect(failing.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
      expect(failing[0]?.stdout).toContain("Checkout fails");
      const list = await place.run("incident journal list -o json", own);
      expect(JSON.parse(list.stdout).length ?? 0).toBe(1);
      place.write("bin/check-checkout", "#!/bin/sh\nexit 0\n");
      expect(await place.run(line, own)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    }),
  );

  it(
    "of a deploy declares one incident while it fails, and none when it succeeds",
    inSandbox(async (own) => {
      const place = createPlace();
      const { jobs } = parse(receiver("deploy.yml"));
      const journal = join(place.folder, "journal.git");
      await execa("git", ["init", "--quiet", "--bare", journal]);
      const template = `variables:\n  workflow: { maxLength: 60 }\n---\nname: "\${workflow} failed"\nseverity: MINOR\nservices: [${service}]\nincidentUpdates: [{ description: The earlier version stays in use. }]\n`;
      const runIt = async (number: number, deploy: string) => {
        const folder = join(place.folder, `run-${number}`);
        mkdirSync(join(folder, "work/incident-templates"), { recursive: true });
        writeFileSync(join(folder, "work/incident-templates/deploy-failed.yaml"), template);
        const text = JSON.stringify(jobs.deploy.steps.slice(1))
          .replaceAll("https://api.example.com", own.INCIDENT_CLI_BASE_URL ?? "")
          .replaceAll("11111111-2222-4333-8444-555555555555", own.INCIDENT_CLI_ACCOUNT_ID ?? "")
          .replace("./deploy.sh", deploy);
        // The action builds nothing where dist/ is.
        const action = join(place.folder, "action");
        cpSync(join(root, "dist"), join(action, "dist"), {
          recursive: true,
          filter: (path) => !path.includes("binary"),
        });
        cpSync(join(root, "action.yml"), join(action, "action.yml"));
        const github = {
          workflow: "Deploy",
          job: "deploy",
          ref_name: "main",
          run_id: String(number),
          run_attempt: "1",
          event: {},
        };
        const runner = {
          ...{ repository: "", storage: join(place.folder, "storage"), folder, action, github },
          env: {
            PATH: process.env.PATH ?? "",
            HOME: place.folder,
            INCIDENT_CLI_JOURNAL: `git+file://${journal}`,
          },
          secrets: { INCIDENT_CLI_API_KEY: own.INCIDENT_CLI_API_KEY },
        };
        const { steps } = await runSteps(JSON.parse(text), runner);
        return { said: steps.map(({ stderr }) => stderr).join("\n") };
      };
      const failed = await runIt(1, "exit 1");
      expect(failed.said).toMatch(/declared [-\w]{36} {2}Deploy failed/);
      const again = await runIt(2, "exit 1");
      expect(again.said).toMatch(/already open [-\w]{36} {2}Deploy failed/);
      expect((await runIt(3, "true")).said).toBe("");
    }),
  );
});
