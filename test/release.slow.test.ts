// The workflows of this project, and its demo.
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
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
  const command = "sandbox -- sh fixtures/demo.sh";

  it("builds first where a source is newer than the build", async () => {
    expect(await demo({ "src/a.ts": new Date("2026-01-02") })).toBe(`built\n${command}`);
  });

  it("does not build twice", async () => {
    expect(await demo({})).toBe(command);
  });
});

describe("the release", () => {
  const { jobs } = parse(textOf("release.yml"));

  it("waits for the tests, the package, and a person", () => {
    expect(jobs.publish.needs).toEqual(["test", "package"]);
    expect(jobs.publish.environment).toBe("npm");
    for (const name of ["test", "package"]) expect(jobs[name].needs).toBe("check");
  });

  it("builds nothing where it may write", () => {
    const commands = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(commands.join("\n")).not.toMatch(/\bnpm (?:ci|install|run|pack|test)\b|\bnpx\b|\bnode\b/);
    for (const [name, job] of Object.entries<{ permissions?: object }>(jobs))
      if (name !== "publish" && name !== "image") expect(job.permissions).toBeUndefined();
    // The image takes the package of the release, and no token for the repository or for npm.
    expect(jobs.image.needs).toBe("publish");
    expect(jobs.image.permissions).toEqual({ contents: "read", packages: "write" });
  });
});
