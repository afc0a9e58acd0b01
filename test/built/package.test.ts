// The package as published: the files of its tarball, and its use after an installation.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { execa } from "execa";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incidentId } from "../harness/builders.ts";
import { packagesIn } from "../harness/loads.ts";

const root = join(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** In bytes. */
const largestTarball = 1_000_000;

let folder: string;
let tarball: string;
let packed: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "incident-package-"));
  const args = ["pack", "--silent", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await execa("npm", args, { cwd: root });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  tarball = join(folder, filename);
  packed = files.map(({ path }) => path);
  writeFileSync(join(folder, "package.json"), "{}");
  const install = ["install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball];
  await execa("npm", install, { cwd: folder });
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
    expect(outside.sort()).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(
      packed.filter((path) => !/\.(cjs|d\.cts|txt|wasm)$/.test(path) && path.startsWith("dist/")),
    ).toEqual([]);
  });

  it("contains the licence of each bundled package", () => {
    const licences = readFileSync(
      join(folder, "node_modules/incident-cli/dist/THIRD-PARTY-LICENCES.txt"),
      "utf8",
    );
    const files = packed.filter((path) => path.endsWith(".cjs")).map((path) => join(root, path));
    const bundled = new Set(files.flatMap(packagesIn));
    expect([...bundled]).toEqual(expect.arrayContaining(["commander", "undici", "yaml", "zod"]));
    for (const name of bundled) expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, "m"));
  });

  it("installs a command that works", async () => {
    const command = join(folder, "node_modules/.bin/incident");
    const { stdout } = await execa(command, ["--version"]);
    expect(stdout).toBe(manifest.version);
    const valid = await execa(command, ["validate", join(root, "fixtures/api-outage.yaml")]);
    expect(valid.stdout).toBe("1 definition in 1 file: valid");
  });

  it.each([
    ["import", "module.mjs", 'import { createClient, createSandbox } from "incident-cli";'],
    ["require", "module.cjs", 'const { createClient, createSandbox } = require("incident-cli");'],
  ])("exports its library to %s", async (_, name, line) => {
    const program = `${line}
createClient(createSandbox()).getIncident("${incidentId}").catch(({ kind }) => console.log(kind));`;
    writeFileSync(join(folder, name), program);
    expect((await execa(process.execPath, [join(folder, name)])).stdout).toBe("missing");
  });

  it("has types that reject a wrong program", async () => {
    const program = (severity: string) => `import { checkDefinitions, type Definition } from "incident-cli";
const definition: Definition = { name: "n", severity: "${severity}", services: [], incidentUpdates: [] };
const codes: string[] = checkDefinitions(JSON.stringify(definition)).diagnostics.map(({ code }) => code);
export { codes };
`;
    writeFileSync(join(folder, "right.mts"), program("MAJOR"));
    writeFileSync(join(folder, "wrong.mts"), program("MAJRO"));
    const compile = (file: string) =>
      execa(
        process.execPath,
        [
          join(root, "node_modules/typescript/bin/tsc"),
          ...["--ignoreConfig", "--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", file],
        ],
        { cwd: folder, reject: false },
      );
    expect(await compile("right.mts")).toMatchObject({ exitCode: 0, stdout: "" });
    expect((await compile("wrong.mts")).stdout).toContain("MAJRO");
  });

  it("passes publint and arethetypeswrong", async () => {
    const { messages } = await publint({ pkgDir: join(folder, "node_modules/incident-cli"), pack: false });
    expect(messages).toEqual([]);
    const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
    expect(checked).toMatchObject({ types: { kind: "included" }, problems: [] });
  });
});
