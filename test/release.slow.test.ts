// The workflows of this project, and the check that a tag is a release.
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "./harness/incident.ts";

const root = new URL("..", import.meta.url).pathname;
const textOf = (name: string) => readFileSync(join(root, ".github/workflows", name), "utf8");

describe.each(["ci.yml", "release.yml"])("the workflow %s", (name) => {
  const text = textOf(name);

  it("is valid", async () => {
    const folder = join(temporaryFolder(), ".github/workflows");
    mkdirSync(folder, { recursive: true });
    // The schema of the linter is older than this permission.
    writeFileSync(join(folder, name), text.replace(/^ +attestations: write\n/m, ""));
    const linter = join(root, "node_modules/.bin/action-validator");
    const result = await execa(linter, [join(folder, name)], { reject: false });
    expect(result).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("uses every action at a commit, and may only read unless a job says otherwise", () => {
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action as string);
    const loose = used.filter((action) => !/^\.\/|^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action));
    expect(loose).toEqual([]);
    expect(parse(text).permissions).toEqual({ contents: "read" });
  });

  it("puts no expression into a script, where its value could be a command", () => {
    for (const job of Object.values<{ steps?: { run?: string }[] }>(parse(text).jobs))
      for (const { run } of job.steps ?? []) expect(run ?? "").not.toContain("$" + "{{");
  });
});

it("needs no dependency that runs a script at an installation", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const entries = Object.entries<{ hasInstallScript?: boolean }>(packages);
  expect(entries.length).toBeGreaterThan(100);
  expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
});

describe("npm run demo", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  /** Runs the script of the demo in a project whose build prints a line, and whose command prints its arguments. */
  async function demo(sources: Readonly<Record<string, Date>>): Promise<string> {
    const folder = temporaryFolder();
    const files = ["src/a.ts", "bin/b.ts", "rolldown.config.js", "package-lock.json", "fixtures/demo.sh"];
    for (const name of [...files, "dist/incident.cjs"]) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), "console.log(process.argv.slice(2).join(' '))");
      utimesSync(join(folder, name), old, sources[name] ?? old);
    }
    const manifest = { scripts: { demo: scripts.demo, build: "echo built" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    utimesSync(join(folder, "package.json"), old, old);
    return (await execa("npm", ["run", "--silent", "demo"], { cwd: folder })).stdout;
  }
  const old = new Date("2026-01-01");
  const later = new Date("2026-01-02");
  const command = "sandbox -- sh fixtures/demo.sh";

  it("builds first where a source is newer than the build", async () => {
    expect(await demo({ "src/a.ts": later })).toBe(`built\n${command}`);
    expect(await demo({ "package-lock.json": later })).toBe(`built\n${command}`);
  });

  it("does not build twice", async () => {
    expect(await demo({ "dist/incident.cjs": later })).toBe(command);
    expect(await demo({})).toBe(command);
  });
});

describe("the release", () => {
  const { jobs } = parse(textOf("release.yml"));

  it("waits for the tests, the package and the archives, for executables that start, and for a person", () => {
    expect(jobs.publish.needs).toEqual(["test", "package", "archives", "start"]);
    for (const name of ["archives", "start"]) expect(jobs[name].needs).toBe("executable");
    expect(jobs.publish.environment).toBe("npm");
    for (const name of ["test", "package", "executable"]) expect(jobs[name].needs).toBe("check");
  });

  it("builds the executable for each target, and starts one on each system", () => {
    const named = (text: string) =>
      [...new Set(text.match(/(?:linux|macos|windows)-(?:x64|arm64)(?:-musl)?/g))].sort();
    const targets = named(readFileSync(join(root, "bin/build-binary.js"), "utf8"));
    const built = jobs.executable.steps.map(({ run }: { run?: string }) => run).join("\n");
    expect(targets).toHaveLength(7);
    expect(named(built)).toEqual(targets);
    expect(named(JSON.stringify(jobs.start.strategy))).toEqual(
      targets.filter((target) => !target.endsWith("-musl")),
    );
  });

  it("builds nothing where it may write", () => {
    const commands = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(commands.join("\n")).not.toMatch(/\bnpm (?:ci|install|run|pack|test)\b|\bnpx\b|\bnode\b/);
    for (const [name, job] of Object.entries<{ permissions?: object }>(jobs))
      if (name !== "publish" && name !== "image") expect(job.permissions).toBeUndefined();
    // The image takes the executables of the release, and no token for the repository or for npm.
    expect(jobs.image.needs).toBe("publish");
    expect(jobs.image.permissions).toEqual({ contents: "read", packages: "write" });
  });
});

describe("bin/check-release.js", () => {
  const changelog = (sections: string) => `# Changelog\n\n${sections}`;
  const good =
    "## [Unreleased]\n\n## [1.2.3] - 2026-11-22\n\n### Added\n\n- A thing.\n\n## [1.2.2] - 2026-11-21\n\n- Old.\n";

  const address = "https://github.com/owner/incident-cli";

  /** Runs the check in a tree of the version 1.2.3. */
  function check(tag: string, files: Readonly<Record<string, string>> = {}, env = {}) {
    const folder = temporaryFolder();
    const tree = {
      "package.json": JSON.stringify({ version: "1.2.3", repository: { url: `git+${address}.git` } }),
      "package-lock.json": '{ "version": "1.2.3", "packages": { "": { "version": "1.2.3" } } }',
      "src/version.ts": 'export const version = "1.2.3";\n',
      "src/project.ts": `export const repository = "${address}";\n`,
      "CHANGELOG.md": changelog(good),
      ...files,
    };
    for (const [name, content] of Object.entries(tree)) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    cpSync(join(root, "bin/check-release.js"), join(folder, "check.mjs"));
    const clean = { PATH: process.env.PATH ?? "", ...env };
    return execa(process.execPath, ["check.mjs", tag], {
      cwd: folder,
      env: clean,
      extendEnv: false,
      reject: false,
    });
  }

  it("prints the section of the changelog", async () => {
    const { exitCode, stdout, stderr } = await check("v1.2.3");
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "### Added\n\n- A thing.",
      stderr: "",
    });
  });

  it.each([
    ["another tag", "v1.2.4", {}, "the tag is v1.2.4, and package.json says 1.2.3: tag v1.2.3"],
    [
      "a version that differs",
      "v1.2.3",
      { "src/version.ts": '"1.2.2"' },
      "src/version.ts does not say 1.2.3",
    ],
    [
      "a lock file that differs",
      "v1.2.3",
      { "package-lock.json": '{"version":"1","packages":{"":{}}}' },
      "package-lock.json does not say 1.2.3",
    ],
    [
      "changes that are not released",
      "v1.2.3",
      { "CHANGELOG.md": changelog(good.replace("]\n", "]\n\n- New.\n")) },
      "CHANGELOG.md has unreleased changes: move them to 1.2.3",
    ],
    [
      "no section",
      "v1.2.3",
      { "CHANGELOG.md": changelog(good.replaceAll("1.2.3", "1.2.1")) },
      "the newest release in CHANGELOG.md is not 1.2.3",
    ],
    [
      "an empty section",
      "v1.2.3",
      { "CHANGELOG.md": changelog(good.replace(/### Added\n\n- A thing.\n/, "")) },
      "CHANGELOG.md says nothing about 1.2.3",
    ],
    [
      "a section without a date",
      "v1.2.3",
      { "CHANGELOG.md": changelog(good.replace("2026-11-22", "soon")) },
      "CHANGELOG.md has no date for 1.2.3",
    ],
    [
      "a project without a repository, as this one is before its first release",
      "v1.2.3",
      {
        "src/project.ts": readFileSync(join(root, "src/project.ts"), "utf8").replace(
          /(?<=repository = ").*"/,
          '"',
        ),
      },
      "src/project.ts names no repository: fill it in, then run npm run docs",
    ],
    [
      "a package that names another repository than the source",
      "v1.2.3",
      { "package.json": '{ "version": "1.2.3" }' },
      "package.json differs: run npm run docs",
    ],
  ])("refuses %s", async (_, tag, files, problem) => {
    const { exitCode, stdout, stderr } = await check(tag, files as Record<string, string>);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(problem);
    expect(stderr.split("\n")).toHaveLength(1);
  });

  it("refuses a tree that does not name the repository of the workflow", async () => {
    const { exitCode, stderr } = await check("v1.2.3", {}, { GITHUB_REPOSITORY: "fork/incident-cli" });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `src/project.ts names the repository "${address}": write https://github.com/fork/incident-cli`,
    });
    expect((await check("v1.2.3", {}, { GITHUB_REPOSITORY: "owner/incident-cli" })).exitCode).toBe(0);
  });
});
