// The package as published: the files of its tarball, and its use after an installation.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packagesIn } from "../harness/loads.ts";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** In bytes. */
const largestTarball = 1_000_000;

let folder: string;
let tarball: string;
let packed: readonly string[];
/** What the installation in a folder says. */
let warnings: string;
let bundled: readonly string[];

const readInstalled = (path: string) => readFileSync(join(folder, "node_modules/incident-cli", path), "utf8");

/** Every version of each bundled package that the lock file has and the bundle contains. */
function bundledPackages() {
  const licences = readInstalled("dist/THIRD-PARTY-LICENCES.txt");
  const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const found = Object.entries<{ version: string }>(locked).flatMap(([path, { version }]) => {
    const name = path.split("node_modules/").at(-1) ?? "";
    const isBundled = bundled.includes(name) && licences.includes(`${name} ${version} (`);
    return isBundled ? [{ name, version, folder: join(root, path) }] : [];
  });
  return [...new Map(found.map((each) => [`${each.name}@${each.version}`, each])).values()];
}

const environment = () => ({ PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: "false" });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "incident-package-"));
  const args = ["pack", "--silent", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await execa("npm", args, { cwd: root });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  tarball = join(folder, filename);
  packed = files.map(({ path }) => path);
  const code = packed.filter((path) => path.endsWith(".cjs")).map((path) => join(root, path));
  bundled = [...new Set(code.flatMap(packagesIn))];
  writeFileSync(join(folder, "package.json"), "{}");
  const install = ["install", "--offline", "--no-audit", tarball];
  ({ stderr: warnings } = await execa("npm", install, { cwd: folder, env: environment(), extendEnv: false }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the package", () => {
  it(`is a download of at most ${largestTarball / 1e6} MB`, () => {
    expect(statSync(tarball).size).toBeLessThan(largestTarball);
  });

  it("has no dependencies", async () => {
    const installed = JSON.parse(
      readFileSync(join(folder, "node_modules/incident-cli/package.json"), "utf8"),
    );
    const { dependencies, optionalDependencies, peerDependencies } = installed;
    expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined]);
    const { stdout } = await execa("npm", ["ls", "--all", "--parseable"], { cwd: folder });
    expect(stdout.split("\n")).toEqual([folder, join(folder, "node_modules/incident-cli")]);
  });

  it("contains the build and the documents, and no sources", () => {
    const outside = packed.filter((path) => !path.startsWith("dist/"));
    expect(outside.sort()).toEqual(["LICENSE", "README.md", "package.json", "skills/incident/SKILL.md"]);
    expect(packed.filter((path) => !/\.(cjs|txt|wasm)$/.test(path) && path.startsWith("dist/"))).toEqual([]);
  });

  it("contains the whole licence of each bundled package, and of the parser in undici", () => {
    const licences = readInstalled("dist/THIRD-PARTY-LICENCES.txt");
    expect(bundled).toEqual(expect.arrayContaining(["commander", "undici", "yaml", "zod"]));
    for (const { name, version, folder: source } of bundledPackages()) {
      // Some packages have their licence in the README.
      const file = readdirSync(source).find((entry) => /^licen[cs]e/i.test(entry)) ?? "README.md";
      // This one has it in its repository alone.
      const path =
        name === "@cfworker/json-schema" ? join(root, "bin/cfworker-licence.txt") : join(source, file);
      const text =
        readFileSync(path, "utf8")
          .split(/^## licen[cs]e$/im)
          .at(-1)
          ?.trim() ?? "";
      expect(text, name).toMatch(/copyright|permission/i);
      expect(licences).toMatch(new RegExp(`^${name} ${version.replaceAll(".", "\\.")} \\(`, "m"));
      expect(licences, name).toContain(text);
    }
    expect(licences).toContain("llhttp in undici (MIT)");
    expect(licences).toContain("Copyright Fedor Indutny, 2018.");
  });

  it("installs without a warning, in a folder and globally", async () => {
    const env = environment();
    const prefix = join(folder, "prefix");
    const globally = ["install", "--offline", "--no-audit", "--global", "--prefix", prefix, tarball];
    const { stderr } = await execa("npm", globally, { env, extendEnv: false });
    expect([warnings, stderr]).toEqual(["", ""]);
    const machine = { cwd: folder, env: { ...env, PATH: `${prefix}/bin:${env.PATH}` }, extendEnv: false };
    expect((await execa("incident", ["--version"], machine)).stdout).toBe(manifest.version);
    const create = ["create", "-f", join(root, "fixtures/api-outage.yaml"), "-o", "id"];
    const created = await execa("incident", ["sandbox", "--", "incident", ...create], machine);
    expect(created.stdout).toMatch(/^[0-9a-f-]{36}$/);
    const complete = `eval "$(incident completion bash)"; COMP_WORDS=(incident val); COMP_CWORD=1; _incident; echo "\${COMPREPLY[0]}"`;
    expect((await execa("bash", ["-c", complete], machine)).stdout).toBe("validate");
  });

  it.each([
    ["import", "module.mjs", 'import("incident-cli").catch(({ code }) => console.log(code));'],
    ["require", "module.cjs", 'try { require("incident-cli"); } catch ({ code }) { console.log(code); }'],
  ])("has nothing to %s", async (_, name, program) => {
    writeFileSync(join(folder, name), program);
    const { stdout } = await execa(process.execPath, [join(folder, name)]);
    expect(stdout).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  it("passes publint", async () => {
    const { messages } = await publint({ pkgDir: join(folder, "node_modules/incident-cli"), pack: false });
    expect(messages).toEqual([]);
  });
});
