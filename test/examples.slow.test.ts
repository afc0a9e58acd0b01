// Runs every example of the help against the sandbox: those with syntax of a shell in one, the others in this process.
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { shellCommand } from "./built/program.ts";
import { definitionYaml, incidentId as id, serviceYaml } from "./harness/builders.ts";
import { createWorld, temporaryFolder } from "./harness/incident.ts";
import { specs } from "./harness/specs.ts";
import { withSandbox } from "./harness/with-sandbox.ts";

const definition = definitionYaml({
  incidentUpdates: "[{ description: It works again., status: RESOLVED }]",
});

/** A create without an id declares an incident that is not over. */
const unnamed = definition.replace("RESOLVED", "MONITORING");

const document = readFileSync(new URL("../fixtures/contracts/vendor.json", import.meta.url), "utf8");

const files: Readonly<Record<string, string>> = {
  "checkout.yaml": `id: ${id}\n${definition}`,
  "incidents/one.yaml": `id: ${id.replace("7c", "8c")}\n${definition}`,
  "incidents/below/two.yaml": `id: ${id.replace("7c", "9c")}\n${definition}`,
  ".incident.yaml": `services:\n  checkout: ${serviceYaml}\n  search: { name: Search, id: ${id.replace("7c", "5c")} }\n`,
  "incident-templates/checkout.yaml":
    `variables:\n  region: { values: { eu: Europe, us: America } }\n---\n${unnamed}`.replace(
      "Checkout fails",
      "Checkout fails in $${region}",
    ),
  "openapi.yaml": document,
  "home/.config/incident-cli/config.yaml":
    "profiles:\n  staging: { baseUrl: https://staging.example.com, accountId: none, apiKey: a-key-of-staging }\n",
  "home/.zfunc/empty": "",
  "home/.config/fish/completions/empty": "",
  "bin/incident": `#!/bin/sh\nexec ${shellCommand} "$@"\n`,
  "bin/generate": `#!/bin/sh\nsed '/^id:/d; s/RESOLVED/MONITORING/' checkout.yaml\n`,
  "bin/pass": '#!/bin/sh\nprintf %s "$INCIDENT_CLI_API_KEY"\n',
  "runbook.sh": "#!/bin/sh\nexit 0\n",
  "deploy.sh": "#!/bin/sh\nexit 0\n",
};

/** Examples that fail without a terminal: their exit code, and part of stderr. */
const others: Readonly<Record<string, readonly [exitCode: number, said: string]>> = {
  "incident create": [2, "without a file, --name"],
  "incident update": [2, "no incident was named"],
  "incident resolve": [2, "no incident was named"],
  // The examples before have declared incidents that are open, or its preparation has.
  "incident gate && ./deploy.sh": [12, "blocked"],
  "incident gate --service checkout --severity major": [12, "blocked"],
  "incident gate -f incidents/ -R": [12, "blocked"],
  "incident login": [2, "no question can be asked here"],
  "incident login --profile staging": [2, "no question can be asked here"],
  "incident journal accept": [2, "no shared journal is chosen"],
  "incident journal copy --to folder": [2, "no shared journal is chosen"],
  "incident journal copy --to shared": [2, "no shared journal is chosen"],
  "incident journal settle $ID": [2, "there is nothing to settle"],
  "incident journal settle $ID --created": [2, "there is nothing to settle"],
  "incident journal settle $ID --not-created": [2, "so it is not gone"],
  // The digest stands for that of a preview.
  "incident create -f checkout.yaml --confirm sha256:DIGEST": [13, "is not what was confirmed"],
};

const flags = "--name 'Checkout is slow' --severity major --service checkout --message 'We look into it.'";

/** The incident of the definition is resolved, and this one is open. */
const open = `ID=$(incident create --new ${flags} --status identified -o id)`;

/** Preparations. */
const first: Readonly<Record<string, string>> = {
  // With another id and name, it is not declared yet.
  "incident create -f checkout.yaml --confirm sha256:DIGEST":
    "sed -i 's/7c/6c/; s/Checkout fails/Login fails/' checkout.yaml",
  // With another date, the definition would be an edited one of an incident that is declared.
  "incident create -f checkout.yaml --started-at -20m":
    "sed -i '/^id:/d; s/RESOLVED/MONITORING/' checkout.yaml",
  "incident gate --service checkout --severity major": `incident create ${flags}`,
  "incident gate -f incidents/ -R": `incident create ${flags}`,
  "incident new checkout.yaml": "rm checkout.yaml",
  "incident contract check": "incident contract pull",
  "incident contract check --from openapi.yaml": "incident contract pull --from openapi.yaml",
  "incident services import": "rm .incident.yaml",
  [`incident services import ${id}`]: "rm .incident.yaml",
  "incident update $ID --status identified --message 'We found the cause.' --notify": open,
  "incident update $ID --status monitoring --message 'A fix is live. We are watching it.'": open,
  "incident update $ID --status monitoring --message 'A fix is live.' --if-status identified": open,
  "generate | incident update $ID --status monitoring --message -": open,
  "incident resolve --dedup-key checkout-eu --message 'The problem is over.' --notify": `incident create --dedup-key checkout-eu ${flags}`,
  "incident update --dedup-key checkout-eu --status identified --message 'We found the cause.'": `incident create --dedup-key checkout-eu ${flags}`,
};

/** Examples that run until Ctrl-C. The test sends it after the first output. */
const endless = ["incident sandbox", "incident get $ID --watch"];

const examples = specs.flatMap(({ name, examples: all }) =>
  Object.keys(all).map((command) => [name, command] as const),
);

const webUrl = { INCIDENT_CLI_WEB_URL: "https://status.example.com/incidents/{id}" };

/** The variable stands for the declared incident; a preparation with another one needs a shell. */
const isPlain = (line: string) =>
  !line.includes(" -- ./") &&
  !endless.includes(line) &&
  /^incident [^|&;<>()$"]*$/.test(line.replace("$ID", id)) &&
  /^incident [^|&;<>()$]*$/.test(first[line] ?? "incident ");

/** Where the example ended as it is expected to, its exit code; else what it said as well. */
function judge(line: string, exitCode: number | undefined, stderr: string) {
  const [code, said] = others[line] ?? [line === "incident get $ID --watch" ? 130 : 0, ""];
  return [exitCode === code && stderr.includes(said) ? code : { exitCode, stderr }, code] as const;
}

describe("the examples of the help", () => {
  it.each(examples.filter(([, line]) => isPlain(line)))("incident %s: %s", async (_, line) => {
    const world = createWorld({ files, sandbox: { onlySpec: false }, env: webUrl });
    for (const before of ["incident create -f checkout.yaml", first[line] ?? ""].filter(Boolean))
      expect((await world.run(before.replace("incident ", ""))).exitCode).toBe(0);
    const { exitCode, stderr } = await world.run(line.replace("incident ", "").replace("$ID", id));
    const [ended, expected] = judge(line, exitCode, stderr);
    expect(ended).toEqual(expected);
  });

  // Each of them has the time of a test.
  it("with syntax of a shell work in one", { timeout: 0 }, async () => {
    const [template, cache] = [temporaryFolder(), temporaryFolder()];
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(template, name)), { recursive: true });
      writeFileSync(join(template, name), text, { mode: 0o600 });
      if (text.startsWith("#!")) chmodSync(join(template, name), 0o755);
    }
    await withSandbox(async (service) => {
      const environment = (folder: string) => ({
        ...service,
        ...webUrl,
        HOME: join(folder, "home"),
        PATH: `${folder}/bin:${process.env.PATH}`,
        INCIDENT_CLI_STATE_DIR: join(folder, "state"),
        // The code cache of all examples, which saves CPU time.
        XDG_CACHE_HOME: cache,
        ID: id,
        ACCOUNT: service.INCIDENT_CLI_ACCOUNT_ID,
      });
      const run = (line: string, folder: string) =>
        execa("bash", ["-c", line], {
          cwd: folder,
          env: environment(folder),
          reject: false,
          stdin: "ignore",
          timeout: 300_000,
        });
      expect((await run("incident create -f checkout.yaml", template)).exitCode).toBe(0);

      const ended: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const [, line] of examples.filter(([, each]) => !isPlain(each))) {
        const folder = temporaryFolder();
        cpSync(template, folder, { recursive: true });
        const isEndless = endless.includes(line);
        const child = run(isEndless ? `exec ${line}` : `${first[line] ?? "true"}; ${line}`, folder);
        if (isEndless) {
          const interrupt = () => child.kill("SIGINT");
          child.stdout.once("data", interrupt);
          child.stderr.once("data", interrupt);
        }
        const { exitCode, stderr } = await child;
        [ended[line], expected[line]] = judge(line, exitCode, stderr);
      }
      expect(ended).toEqual(expected);
    });
  });

  it("exist for every command", () => {
    expect(specs.filter((spec) => Object.keys(spec.examples).length === 0)).toEqual([]);
    for (const [name, line] of examples) expect(line).toContain(`incident ${name}`);
  });
});
