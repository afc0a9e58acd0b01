// The GitHub action and the pipelines of the documents are valid. documents.test.ts checks their command lines.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseJournalLocation } from "../src/workspace/journal-location.ts";
import { allDocuments } from "./harness/documents.ts";
import { temporaryFolder } from "./harness/incident.ts";
import { runSteps } from "./harness/workflow-runner.ts";

const root = new URL("..", import.meta.url).pathname;
const blocks = [...allDocuments.matchAll(/^```yaml\n(# \.(?:github|gitlab)[^\n]*)\n(.*?)^```$/gms)];
const blockOf = (name: string) => blocks.find(([, title]) => title?.includes(name))?.[2] ?? "";

/** Checks a workflow or an action against the schemas of GitHub. */
function lint(file: string) {
  return execa(join(root, "node_modules/.bin/action-validator"), [file], { reject: false });
}

/** The settings of the service that the action and the component take. */
const serviceInputs = ["base-url", "account-id", "account-header", "journal"];
const variableOf = (input: string) => input.toUpperCase().replaceAll("-", "_");

it("the component for GitLab gives each input of the service to its variable", () => {
  const job = readFileSync(join(root, "templates/incident.yml"), "utf8");
  for (const input of serviceInputs)
    expect(job).toContain(`INCIDENT_CLI_${variableOf(input)}: $[[ inputs.${input} ]]\n`);
});

describe("the GitHub action", () => {
  it("gives each input of the service to its variable, and an empty one to none", () => {
    const { inputs, runs } = parse(readFileSync(join(root, "action.yml"), "utf8"));
    const { env, run } = runs.steps.find(({ id }: { id?: string }) => id === "incident");
    const names = ["api-key", ...serviceInputs];
    for (const input of names) {
      expect(inputs[input].default).toBe("");
      expect(env[`INPUT_${variableOf(input)}`]).toBe(`\${{ inputs.${input} }}`);
    }
    const [, looped = ""] = /for name in (.*); do/.exec(run) ?? [];
    expect(looped.split(" ").sort()).toEqual(names.map(variableOf).sort());
  });

  it("is valid", async () => {
    expect(await lint(join(root, "action.yml"))).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("installs the tool before the key is in the environment", () => {
    const { steps } = parse(readFileSync(join(root, "action.yml"), "utf8")).runs;
    const withKey = steps.filter((step: object) => JSON.stringify(step).includes("API_KEY"));
    expect(withKey).toHaveLength(1);
    expect(withKey[0].run).not.toMatch(/\b(?:npm|npx)\b/);
    expect(steps.findIndex(({ run }: { run?: string }) => run?.includes("npm ci"))).toBeLessThan(
      steps.indexOf(withKey[0]),
    );
  });
});

describe("the pipelines of this project and of the documents", () => {
  const texts = new Map([
    ["action.yml", readFileSync(join(root, "action.yml"), "utf8")],
    ...blocks.map(([, title, text]) => [title ?? "", text ?? ""] as const),
  ]);
  const published = [allDocuments, ...texts.values()].join("\n");

  it("use every action at a commit", () => {
    const used = [...published.matchAll(/^\s*-? ?uses: (\S+)/gm)].map(([, name]) => name as string);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => !/@(?:[0-9a-f]{40}|COMMIT)$/.test(name))).toEqual([]);
  });

  it("say of each image how its digest is found, and have no placeholder for it", () => {
    // The image of this project has no name before its first release.
    const images = [...allDocuments.matchAll(/^\s*-? ?image: (?!IMAGE@sha256:DIGEST$)(\S+)/gm)].map(
      ([, name]) => name as string,
    );
    expect(images).toEqual(["node:22-bookworm"]);
    for (const image of images)
      expect(allDocuments).toContain(`imagetools inspect ${image} --format '${image}@{{.Manifest.Digest}}'`);
  });

  it("run no package that a lock file does not name", () => {
    const commands = [...published.matchAll(/(?:npx|npm (?:exec|install|i)|pnpm|yarn) [^`\n]*/g)].map(
      ([line]) => line,
    );
    const allowed = [
      /^npx --no-install incident( |$)/,
      // In a checkout, with what its own lock file named.
      /^npx vitest run /,
      /^npx --yes`?$/,
      /^npx incident$/,
      /^npm install --save-dev (?:--save-exact incident-cli$|\.\/vendor\/incident-cli-)/,
      /^npm install (?:-g|--global)(?: \.\/incident-cli-|$)/,
    ];
    expect(commands.filter((line) => !allowed.some((form) => form.test(line)))).toEqual([]);
  });
});

describe("the workflow with fresh seeds", () => {
  const file = join(root, ".github/workflows/fresh-seeds.yml");
  const { jobs } = parse(readFileSync(file, "utf8"));
  const named = (name: string) => jobs.seeds.steps.find((step: { name?: string }) => step.name === name);

  it("is valid", async () => {
    expect(await lint(file)).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("opens an issue with the seed of a failure", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "gh"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}`, GIVEN: "", GITHUB_REPOSITORY: "owner/name" };
    const runner = { repository: "", storage: folder, folder, env };
    const steps = [named("Choose a seed"), { run: "exit 1" }, named("Open an issue")];
    const { outputs, steps: log } = await runSteps(steps, runner);
    const { seed } = outputs.chosen as { seed: string };
    expect(Number(seed)).toBeGreaterThanOrEqual(0);
    expect(log.at(-1)?.stdout).toContain(`issue create --repo owner/name --title Seed ${seed} fails`);
    const good = await runSteps([named("Choose a seed"), named("Open an issue")], runner);
    expect(good.steps).toHaveLength(1);
  });
});

describe("the pipelines of the documents", () => {
  const workflows = blocks.flatMap(([, title = "", text = ""], at) =>
    title.includes(".github/workflows/") ? [[`${at}, ${title}`, `workflow-${at}.yml`, text] as const] : [],
  );

  it("contain the workflows of a check, a deploy and an approval", () => {
    expect(workflows.length).toBeGreaterThanOrEqual(3);
  });

  it.each(workflows)("contain the valid GitHub workflow %s", async (_, name, text) => {
    const folder = join(temporaryFolder(), ".github/workflows");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name);
    writeFileSync(file, text);
    expect(await lint(file)).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("share a journal wherever they apply, with a token that may push it", () => {
    const jobsOf = (text: string) => {
      const { env, jobs, permissions, variables, ...others } = parse(text);
      return Object.values(jobs ?? others).map((job) => ({
        permissions,
        ...(job as object),
        settings: JSON.stringify([env, variables, job]),
      }));
    };
    const applying = blocks.flatMap(([, title = "", text = ""]) =>
      jobsOf(text)
        .filter(({ settings }) => / apply -/.test(settings.replaceAll("--for apply -", "")))
        .map((job) => ({ title, ...job }) as { title: string; permissions?: object; settings: string }),
    );
    expect(applying.length).toBeGreaterThan(5);
    for (const { permissions, settings, title } of applying) {
      expect({ title, settings }).toMatchObject({
        settings: expect.stringContaining("INCIDENT_CLI_JOURNAL"),
      });
      const sends = !settings.includes("--dry-run");
      if (title.includes(".github") && sends)
        expect({ title, permissions }).toMatchObject({ permissions: { contents: "write" } });
    }
  });

  it("apply in GitLab on the default branch alone, in an image with Node", () => {
    const applying = blocks.flatMap(([, title = "", text = ""]) => {
      const { default: runner, workflow, ...jobs } = parse(text);
      return title.includes(".gitlab-ci")
        ? Object.values<{ script?: unknown; rules?: unknown }>(jobs)
            .filter(({ script }) => JSON.stringify(script ?? "").includes("incident apply"))
            .map(({ rules }) => JSON.stringify([runner, rules ?? workflow]))
        : [];
    });
    expect(applying).toHaveLength(3);
    for (const job of applying) expect(job).toMatch(/"node:.*\$CI_COMMIT_BRANCH == \$CI_DEFAULT_BRANCH/);
  });

  it("keep the journal in the repository, and give the key to no installation", () => {
    const { if: condition, permissions, steps } = parse(blockOf("incidents.yml")).jobs.apply;
    // Neither a pull request nor a run by hand of another branch.
    expect(condition).toBe("github.ref == 'refs/heads/main'");
    const apply = steps.find(({ run }: { run?: string }) => run?.includes(" apply "));
    expect(apply.env.INCIDENT_CLI_JOURNAL).toBe("git:");
    expect(permissions.contents).toBe("write");
    expect(steps.filter((step: object) => JSON.stringify(step).includes("API_KEY"))).toEqual([apply]);
    const { variables } = parse(blockOf(".gitlab")).apply;
    const origin = "INCIDENT_CLI_JOURNAL";
    expect(parseJournalLocation({ value: variables.INCIDENT_CLI_JOURNAL, origin }).kind).toBe("git");
    for (const [, , text] of blocks) expect(text).not.toContain("npx --yes");
  });
});
