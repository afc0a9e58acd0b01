// Runs the pipelines of docs/ci.md in a repository of their own, with the sandbox as the service. The package comes
// from its tarball, and npm is a stand-in: test/built/package.slow.test.ts installs the package.
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packPackage, tarballName } from "./built/package.ts";
import { allDocuments } from "./harness/documents.ts";
import { temporaryFolder } from "./harness/incident.ts";
import { withSandbox } from "./harness/with-sandbox.ts";
import { type Runner, runSteps, type Step } from "./harness/workflow-runner.ts";

const root = new URL("..", import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pipelinesOf = (file: string) =>
  [...allDocuments.matchAll(new RegExp(`^\`\`\`yaml\\n# ${file}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => parse(text),
  );
const pipelineOf = (file: string) => pipelinesOf(file)[0];

const declared = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";

let packed: string;

beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), "incident-packed-"));
  await packPackage(packed);
  mkdirSync(join(packed, "node_modules/.bin"), { recursive: true });
  renameSync(join(packed, "package"), join(packed, "node_modules/incident-cli"));
  symlinkSync("../incident-cli/dist/incident.cjs", join(packed, "node_modules/.bin/incident"));
});

afterAll(() => rm(packed, { recursive: true, force: true }));

interface Place {
  readonly folder: string;
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A repository with one definition; the package is not installed in it yet. */
function createPlace(): Place {
  const folder = temporaryFolder();
  const repository = join(folder, "repository");
  mkdirSync(join(repository, "incidents"), { recursive: true });
  cpSync(join(root, "fixtures/api-outage.yaml"), join(repository, "incidents/api-outage.yaml"));
  writeFileSync(join(repository, "package.json"), '{ "private": true }\n');
  writeFileSync(join(repository, ".gitignore"), "node_modules/\n");
  const cache = { XDG_CACHE_HOME: join(packed, "cache") };
  const env = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, ...cache };
  return { folder, repository, env };
}

/** Puts programs before those of the machine, each a script of sh by its name. */
function withPrograms(place: Place, scripts: Readonly<Record<string, string>>): Place {
  const bin = join(place.folder, "bin");
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...place, env: { ...place.env, PATH: `${bin}:${place.env.PATH}` } };
}

/** A committed repository where npm, which takes a second for each command, is a stand-in that has the package. */
async function createInstalled(): Promise<Place> {
  const place = withPrograms(createPlace(), {
    npm: `[ "$1" = ci ] && exec cp -r ${join(packed, "node_modules")} .`,
    npx: '[ "$1" = --no-install ] && shift && exec "./node_modules/.bin/$@"',
  });
  await commit(place.repository);
  return place;
}

async function commit(repository: string): Promise<void> {
  const git = (...args: string[]) =>
    execa("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...args], { cwd: repository });
  await git("init", "--quiet", "--initial-branch", "main");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Record");
}

const pushed = { event_name: "push", ref_name: "main", run_id: "1", run_attempt: "1", event: {} };

const runnerOf = ({ folder, repository, env }: Place, run: number): Runner => ({
  repository,
  storage: join(folder, "storage"),
  folder: join(folder, `run-${run}`),
  env,
  github: { ...pushed, run_id: String(run) },
});

/** The steps with the sandbox in the place of the service. */
function forSandbox(steps: unknown, service: Readonly<Record<string, string>>): readonly Step[] {
  return JSON.parse(
    JSON.stringify(steps)
      .replaceAll("https://api.example.com", service.INCIDENT_CLI_BASE_URL as string)
      .replaceAll("11111111-2222-4333-8444-555555555555", service.INCIDENT_CLI_ACCOUNT_ID as string),
  );
}

describe("the GitHub workflow of docs/ci.md", () => {
  const { jobs } = pipelineOf(".github/workflows/incidents.yml");

  it("declares once in two runs", async () => {
    const place = await createInstalled();
    await withSandbox(async (service) => {
      const steps = forSandbox(jobs.apply.steps, service);
      const secrets = { INCIDENT_CLI_API_KEY: service.INCIDENT_CLI_API_KEY };
      const run = async (number: number) => {
        const { exitCode, steps: log } = await runSteps(steps, { ...runnerOf(place, number), secrets });
        return { exitCode, apply: log.find(({ name }) => name.includes(" apply "))?.stdout };
      };
      const first = await run(1);
      expect(first).toMatchObject({ exitCode: 0, apply: expect.stringContaining(`created   ${declared}`) });
      const second = await run(2);
      expect(second).toMatchObject({ exitCode: 0, apply: expect.stringContaining(`unchanged ${declared}`) });
      // The checkout is a clone of it, so that it is the remote.
      const args = ["for-each-ref", "--format=%(refname)"];
      const { stdout: refs } = await execa("git", args, { cwd: place.repository });
      expect(refs).toMatch(/^refs\/incident\/v2\//m);
    });
  });
});

describe("the approval in two steps of docs/ci.md", () => {
  it("declares what the first job showed, and nothing that was edited afterwards", async () => {
    const place = await createInstalled();
    const workflow = pipelinesOf(".github/workflows/incidents.yml").find(({ jobs }) => jobs.declare);
    const { jobs } = workflow;
    await withSandbox(async (service) => {
      const secrets = { INCIDENT_CLI_API_KEY: service.INCIDENT_CLI_API_KEY };
      const { INCIDENT_CLI_API_KEY: _, ...ofService } = service;
      const env = { ...workflow.env, ...ofService };
      const run = (job: string, number: number, needs = {}) =>
        runSteps(jobs[job].steps, { ...runnerOf(place, number), needs, secrets }, { env });
      const preview = await run("preview", 1);
      expect(preview.outputs.plan?.confirm).toMatch(/^sha256:/);
      const summary = readFileSync(join(place.folder, "run-1/temp/summary.md"), "utf8");
      expect(summary).toContain("> Since 09:12 UTC every request to the public API");
      const needs = { preview: { outputs: preview.outputs.plan } };
      const definition = join(place.repository, "incidents/api-outage.yaml");
      const text = readFileSync(definition, "utf8");
      writeFileSync(definition, text.replace(/^name: .*$/m, "name: Edited after the preview"));
      await commit(place.repository);
      const edited = await run("declare", 2, needs);
      expect({ exitCode: edited.exitCode, said: edited.steps.at(-1)?.stderr }).toMatchObject({
        exitCode: 13,
        said: expect.stringContaining("nothing was sent"),
      });
      writeFileSync(definition, text);
      await commit(place.repository);
      const declares = await run("declare", 3, needs);
      expect({ exitCode: declares.exitCode, said: declares.steps.at(-1)?.stdout }).toMatchObject({
        exitCode: 0,
        said: expect.stringContaining(`created   ${declared}`),
      });
      // The definitions are the same, and the service lacks nothing of them.
      expect((await run("declare", 4, needs)).steps.at(-1)?.stdout).toContain("unchanged");
    });
  });
});

describe("the plan of a pull request of docs/ci.md", () => {
  it("comments the plan, and runs no tool that the pull request brings", async () => {
    const { jobs } = pipelineOf(".github/workflows/incident-plan.yml");
    const installed = join(packed, "node_modules");
    const place = withPrograms(createPlace(), {
      npm: `cp -r ${installed} . && if [ -f vendor/forged ]; then cp vendor/forged node_modules/.bin/incident; fi`,
      gh: 'echo gh "$@"; cat plan.md',
    });
    await commit(place.repository);
    await execa("git", ["checkout", "--quiet", "-b", "change"], { cwd: place.repository });
    mkdirSync(join(place.repository, "vendor"));
    const forged = '#!/bin/sh\necho "forged $INCIDENT_CLI_API_KEY"\n';
    writeFileSync(join(place.repository, "vendor/forged"), forged, { mode: 0o755 });
    const definition = join(place.repository, "incidents/api-outage.yaml");
    writeFileSync(definition, readFileSync(definition, "utf8").replace(/^name: .*$/m, "name: Of the change"));
    await commit(place.repository);
    await withSandbox(async (service) => {
      const secrets = { INCIDENT_CLI_API_KEY: service.INCIDENT_CLI_API_KEY };
      const event = { number: 7, pull_request: { number: 7, head: { repo: { fork: false } } } };
      const github = {
        ...pushed,
        event_name: "pull_request",
        base_ref: "main",
        repository: "owner/name",
        event,
      };
      const runner = { ...runnerOf(place, 1), secrets, github };
      const { exitCode, steps } = await runSteps(forSandbox(jobs.plan.steps, service), runner);
      expect({ exitCode, said: steps.map(({ stderr }) => stderr) }).toMatchObject({ exitCode: 0 });
      expect(steps.at(-1)?.stdout).toContain("gh pr comment 7 ");
      expect(steps.at(-1)?.stdout).toContain("Of the change");
      expect(JSON.stringify(steps)).not.toContain("forged");
      writeFileSync(definition, "name: Of the change\n");
      await commit(place.repository);
      const broken = await runSteps(forSandbox(jobs.plan.steps, service), {
        ...runner,
        folder: join(place.folder, "run-2"),
      });
      expect(broken).toMatchObject({ exitCode: 3 });
      expect(broken.steps.at(-1)?.stdout).toBe("");
    });
  });
});

describe("the GitLab pipeline of docs/gitlab.md", () => {
  const pipeline = pipelineOf("\\.gitlab-ci.yml");

  /** Runs a job in a clone. */
  async function runJob(place: Place, name: string, run: number, variables: Record<string, string>) {
    const work = join(place.folder, `gitlab-${run}`);
    await execa("git", ["clone", "--quiet", place.repository, work]);
    const shell = (lines: readonly string[]) =>
      execa("bash", ["-c", `set -eo pipefail\n${lines.join("\n")}`], {
        cwd: work,
        extendEnv: false,
        reject: false,
        env: {
          ...place.env,
          CI: "true",
          GITLAB_CI: "true",
          ...variables,
          INCIDENT_CLI_JOURNAL: `git+file://${place.repository}`,
          INCIDENT_CLI_STATE_DIR: join(place.folder, "state", String(run)),
        },
      });
    const result = await shell([...pipeline.default.before_script, ...pipeline[name].script]);
    const after = await shell(pipeline[name].after_script ?? []);
    return { ...result, after: after.exitCode, work };
  }

  it("writes a JUnit report, and declares once in two runs", async () => {
    const place = await createInstalled();
    const checked = await runJob(place, "validate", 1, {});
    expect(checked).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(checked.work, "report.xml"), "utf8")).toContain("<testsuites");
    await withSandbox(async (service) => {
      const first = await runJob(place, "apply", 2, service);
      expect(first).toMatchObject({ exitCode: 0, after: 0, stdout: expect.stringContaining("1 created") });
      expect(first.stdout).toContain(declared);
      const second = await runJob(place, "apply", 3, service);
      expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 unchanged") });
    });
  });
});

describe("the release workflow", () => {
  const { jobs } = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8"));

  it("checks the tag, and publishes the package, checksums and attestations", async () => {
    const place = createPlace();
    cpSync(join(root, "package.json"), join(place.repository, "package.json"));
    await commit(place.repository);
    const runner = (run: number, more: Record<string, string>): Runner => ({
      ...runnerOf(place, run),
      env: { ...place.env, ...more },
      github: { ...pushed, token: "token", repository: "owner/incident-cli" },
    });
    const refused = await runSteps(jobs.check.steps, runner(1, { GITHUB_REF_NAME: "v9.9.9" }));
    expect(refused.exitCode).toBe(1);

    const tag = { GITHUB_REF_NAME: `v${version}` };
    expect(await runSteps(jobs.check.steps, runner(2, tag))).toMatchObject({ exitCode: 0 });
    // As its job keeps it.
    const artifacts = join(place.folder, "storage/artifacts");
    cpSync(join(packed, tarballName), join(artifacts, "file-package", tarballName));
    // npm and gh print their arguments instead of publishing.
    const { PATH: path = "" } = withPrograms(place, { npm: 'echo npm "$@"', gh: 'echo gh "$@"' }).env;
    const publish = async (run: number, name: string) => {
      const machine = runner(run, { GITHUB_REF_NAME: name, PATH: path });
      const github = { ...machine.github, ref_name: name };
      const { exitCode, steps } = await runSteps(jobs.publish.steps, { ...machine, github });
      expect(exitCode).toBe(0);
      return steps.map(({ stdout }) => stdout).join("\n");
    };
    const said = await publish(3, "v9.9.9");
    expect(said).toContain("attested files/*");
    expect(said).toContain(`npm stage publish ./files/${tarballName} --access public\n`);
    expect(said).toContain(`gh release create v9.9.9 --verify-tag --prerelease=false`);
    const before = await publish(4, "v9.9.9-rc.1");
    expect(before).toContain("--access public --tag next");
    expect(before).toContain("gh release create v9.9.9-rc.1 --verify-tag --prerelease=true");
    expect(said).toContain(`files/SHA256SUMS files/${tarballName}`);
    const files = join(place.folder, "run-3/work/files");
    const checked = await execa("sha256sum", ["--check", "SHA256SUMS"], { cwd: files });
    expect(checked.stdout.split("\n")).toEqual([`${tarballName}: OK`]);
  });
});

describe("the job of the release that builds", () => {
  const { jobs } = parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8"));

  it("packs from the lock file, and keeps the tarball", async () => {
    const place = createPlace();
    await commit(place.repository);
    const machine = withPrograms(place, {
      npm: `echo npm "$@"\nif [ "$1" = pack ]; then cp ${join(packed, tarballName)} .; fi`,
    });
    const { exitCode, steps } = await runSteps(jobs.package.steps, runnerOf(machine, 1));
    expect(exitCode).toBe(0);
    expect(steps.map(({ stdout }) => stdout).join("\n")).toContain("npm ci --ignore-scripts");
    const kept = readdirSync(join(place.folder, "storage/artifacts"), { recursive: true }).map(String);
    expect(kept.sort()).toEqual(["file-package", `file-package/${tarballName}`]);
  });
});

/** An action whose last folder is the ref, with a stand-in for gh that has the package of the release. */
function createAction(place: Place, ref: string, verified = true) {
  const action = join(place.folder, "_actions/owner/incident-cli", ref);
  mkdirSync(action, { recursive: true });
  for (const name of ["action.yml", "package.json"]) cpSync(join(root, name), join(action, name));
  const commit = "3f2b8c1e5d4a4e6f9a7b1c2d3e4f5a6b7c8d9e0f";
  const machine = withPrograms(place, {
    npm: "echo npm; exit 99",
    gh: `echo gh "$@" >&2\ncase "$1" in\n  api) echo ${commit} ;;\n  release) cp ${join(packed, tarballName)} "$9" ;;\n  attestation) exit ${verified ? 0 : 1} ;;\nesac`,
  });
  return { commit, runner: (run: number): Runner => ({ ...runnerOf(machine, run), action }) };
}

describe("the action at a release", () => {
  const path = join(root, "fixtures/api-outage.yaml");
  const step = [{ uses: "OWNER/incident-cli@COMMIT", with: { command: "validate", path } }];

  it.each([`v${version}`, "3f2b8c1e5d4a4e6f9a7b1c2d3e4f5a6b7c8d9e0f"])(
    "uses its package after the attestation is verified, at %s",
    async (ref) => {
      const { runner } = createAction(createPlace(), ref);
      const { exitCode, steps } = await runSteps(step, runner(1));
      const said = steps.map(({ stderr }) => stderr).join("\n");
      expect({ exitCode, said }).toMatchObject({ exitCode: 0 });
      expect(said).toContain(
        `gh release download v${version} --repo owner/incident-cli --pattern ${tarballName}`,
      );
      expect(said).toMatch(
        new RegExp(
          `gh attestation verify \\S+/${tarballName} --repo owner/incident-cli --source-ref refs/tags/v${version} --signer-workflow owner/incident-cli/.github/workflows/release.yml`,
        ),
      );
      const again = await runSteps(step, runner(2));
      expect(again.exitCode).toBe(0);
      expect(again.steps.map(({ stderr }) => stderr).join("")).not.toContain("gh ");
    },
  );

  it("uses no package that is not attested", async () => {
    const { runner } = createAction(createPlace(), `v${version}`, false);
    const { exitCode, steps } = await runSteps(step, runner(1));
    expect(exitCode).toBe(1);
    expect(steps.filter(({ name }) => name.includes('incident.cjs" "$@'))).toEqual([]);
  });

  it("declares with its input confirm only what the preview showed", async () => {
    const place = createPlace();
    await commit(place.repository);
    const { runner } = createAction(place, `v${version}`);
    await withSandbox(async (service) => {
      const run = async (number: number, inputs: object) => {
        const settings = {
          "base-url": service.INCIDENT_CLI_BASE_URL,
          "account-id": service.INCIDENT_CLI_ACCOUNT_ID,
          "api-key": service.INCIDENT_CLI_API_KEY,
        };
        const uses = { uses: "OWNER/incident-cli@COMMIT", with: { ...settings, ...inputs } };
        const result = await runSteps([{ uses: "actions/checkout@0" }, uses], runner(number));
        return { ...result, last: result.steps.at(-1) };
      };
      const preview = await run(1, { options: "--dry-run -o json" });
      const { confirm } = JSON.parse(preview.last?.stdout ?? "");
      const other = await run(2, { confirm: `sha256:${"0".repeat(64)}` });
      expect(other.exitCode).toBe(13);
      const declares = await run(3, { confirm });
      expect(declares.last?.stdout).toContain(`created   ${declared}`);
      expect(declares.exitCode).toBe(0);
    });
  });

  it.each(["main", "3f2b8c1e5d4a4e6f9a7b1c2d3e4f5a6b7c8d9e00", "v0.0.1"])(
    "builds the code of %s",
    async (ref) => {
      const { runner } = createAction(createPlace(), ref);
      const { exitCode, steps } = await runSteps(step, runner(1));
      expect({ exitCode, built: steps[0]?.stdout }).toEqual({ exitCode: 99, built: "npm" });
    },
  );
});

describe("the action", () => {
  it("builds the code of its own commit, and takes options on several lines", async () => {
    const place = createPlace();
    await commit(place.repository);
    const action = join(place.folder, "action");
    await execa("git", ["clone", "--quiet", root, action]);
    cpSync(join(root, "action.yml"), join(action, "action.yml"));
    // `npm ci` with the lock file of this repository has made its node_modules.
    const { stdout: npm } = await execa("sh", ["-c", "command -v npm"]);
    const script = `[ "$1" = ci ] && exec ln -s ${join(root, "node_modules")} .\nexec ${npm} "$@"`;
    const machine = withPrograms(place, { npm: script });
    const folder = (run: number) => ({ ...runnerOf(machine, run), action });
    await withSandbox(async (service) => {
      const inputs = {
        path: "incidents",
        options: `--var "text=two words"\n  --var 'quote=it"s' -o json\n--deadline 1m`,
        "base-url": service.INCIDENT_CLI_BASE_URL,
        "account-id": service.INCIDENT_CLI_ACCOUNT_ID,
        "api-key": service.INCIDENT_CLI_API_KEY,
      };
      const definition = join(place.repository, "incidents/api-outage.yaml");
      const text = readFileSync(definition, "utf8");
      writeFileSync(definition, text.replace(/^name: .*$/m, "name: $" + "{text} and $" + "{quote}"));
      await commit(place.repository);
      const steps = [{ uses: "actions/checkout@0" }, { uses: "OWNER/incident-cli@COMMIT", with: inputs }];
      const { exitCode, steps: log } = await runSteps(steps, folder(1));
      expect({ exitCode, problem: log.find((step) => step.exitCode !== 0) }).toEqual({ exitCode: 0 });
      const applied = log.find(({ name }) => name.includes('incident.cjs" "$@"'));
      expect(JSON.parse(applied?.stdout ?? "").results).toMatchObject([{ name: 'two words and it"s' }]);
    });
  }, 600_000);
});
