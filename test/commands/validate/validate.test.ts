import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { definitionYaml, serviceId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const valid = definitionYaml();
const files = {
  "good.yaml": valid,
  "bad.yaml": valid.replace("MAJOR", "major"),
  "odd.yaml": `${valid}nme: x\n`,
};
const noSettings = { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" };

describe("incident validate", () => {
  it("needs no settings and no network", async () => {
    expect(await incident("validate good.yaml", { files, env: noSettings })).toMatchObject({
      exitCode: 0,
      stdout: "1 definition in 1 file: valid\n",
      stderr: "",
      requests: [],
    });
  });

  it("reports all problems of all files, in their order", async () => {
    const { exitCode, stdout, stderr } = await incident("validate odd.yaml good.yaml bad.yaml", { files });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
    expect(stderr.match(/^\S+:\d+:\d+: error/gm)).toEqual(["odd.yaml:5:1: error", "bad.yaml:2:11: error"]);
    expect(stderr).toContain("did you mean MAJOR?");
  });

  it("prints its diagnostics as JSON on stdout, and nothing on stderr", async () => {
    const { exitCode, stdout, stderr } = await incident("validate bad.yaml good.yaml -o json", { files });
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      files: 2,
      definitions: 1,
      diagnostics: [
        { code: "unknown-severity", location: { file: "bad.yaml", start: { line: 2, column: 11 } } },
      ],
    });
  });

  it.each(["validate a.yaml -o json", "create -f a.yaml -o json"])(
    "has the part of a long line that is wrong: %s",
    async (line) => {
      const [before, after] = ["決".repeat(5_000), "x".repeat(5_000)];
      const { stdout, stderr } = await incident(line, {
        files: { "a.yaml": `{ name: ${before}, severity: WRONG, note: ${after} }` },
      });
      const { diagnostics } = line.startsWith("validate") ? JSON.parse(stdout) : JSON.parse(stderr).error;
      const { location } = diagnostics.find(({ code }: { code: string }) => code === "unknown-severity");
      expect(location.start).toEqual({ line: 1, column: 5_021 });
      expect(location.source).toMatch(/^…決{188}, severity: WRONG, note: x+…$/);
      expect(location.source).toHaveLength(402);
    },
  );
});

/** Parses a workflow command like the runner of GitHub Actions: properties first, then the message. */
function annotations(stdout: string) {
  const decode = (text: string) =>
    text
      .replace(/%3A/g, ":")
      .replace(/%2C/g, ",")
      .replace(/%0D/g, "\r")
      .replace(/%0A/g, "\n")
      .replace(/%25/g, "%");
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, level = "", properties = "", message = ""] = /^::(\w+) ([^:]*)::(.*)$/.exec(line) ?? [];
      const pairs = properties.split(",").map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(decode));
      return { level, message: decode(message), ...Object.fromEntries(pairs) };
    });
}

describe("incident validate -o github", () => {
  it("annotates the line once", async () => {
    const { exitCode, stdout, stderr } = await incident("validate bad.yaml -o github", { files });
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: "" });
    expect(annotations(stdout)).toEqual([
      {
        level: "error",
        file: "bad.yaml",
        line: "2",
        endLine: "2",
        col: "11",
        endColumn: "15",
        title: "unknown-severity",
        message:
          '"major" is not a severity\nwrite one of CRITICAL, MAJOR, MEDIUM, MINOR; did you mean MAJOR?',
      },
    ]);
  });

  it("names files from the root of the repository, in any working directory", async () => {
    const world = createWorld({ files: { "team/bad.yaml": files["bad.yaml"] } });
    const { stdout } = await world.run("validate bad.yaml -o github", {
      cwd: "team",
      env: { GITHUB_WORKSPACE: world.folder },
    });
    expect(annotations(stdout)[0]).toMatchObject({ file: "team/bad.yaml" });
  });

  it("escapes names and texts that could end the command or start another", async () => {
    const name = "100%,a:b::error ::x.yaml";
    const { stdout } = await incident("validate . -o github", {
      files: { [name]: valid.replace("MAJOR", '"x\\n::warning ::gotcha%0A"') },
    });
    const [only, ...others] = annotations(stdout);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ file: name });
    expect(only?.message).toContain('"x\\n::warning ::gotcha%0A" is not a severity');
  });
});

const broken = Object.fromEntries(
  readdirSync(new URL("../../../fixtures/invalid/", import.meta.url))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [name, readFileSync(new URL(`../../../fixtures/invalid/${name}`, import.meta.url))]),
);

describe("incident validate -o junit", () => {
  it("has a test case for each file, failed where the file is invalid", async () => {
    const { exitCode, stdout } = await incident("validate odd.yaml good.yaml bad.yaml -o junit", { files });
    expect(exitCode).toBe(3);
    expect(XMLValidator.validate(stdout)).toBe(true);
    const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(stdout);
    expect(testsuites).toMatchObject({ tests: "3", failures: "2", testsuite: { tests: "3", failures: "2" } });
    const cases = testsuites.testsuite.testcase as {
      name: string;
      failure?: { type: string; "#text": string };
    }[];
    expect(cases.map(({ name, failure }) => [name, failure?.type])).toEqual([
      ["odd.yaml", "unknown-field"],
      ["good.yaml", undefined],
      ["bad.yaml", "unknown-severity"],
    ]);
    expect(cases[2]?.failure?.["#text"]).toContain('bad.yaml:2:11: "major" is not a severity');
  });

  it("has only elements and attributes that the schema of Jenkins allows (junit-10.xsd)", async () => {
    const allowed: Readonly<Record<string, readonly string[]>> = {
      testsuites: ["name", "time", "tests", "failures", "errors"],
      testsuite: ["name", "tests", "failures", "errors", "time", "skipped", "timestamp", "file"],
      testcase: ["name", "time", "classname", "group"],
      failure: ["type", "message"],
    };
    const { stdout } = await incident("validate . -o junit", { files });
    const elements = [...stdout.matchAll(/<([a-z]+)((?: [a-z]+="[^"]*")*)\/?>/g)];
    expect(elements.length).toBeGreaterThan(3);
    for (const [, name = "", attributes = ""] of elements) {
      for (const [, attribute] of attributes.matchAll(/ ([a-z]+)=/g))
        expect(allowed[name]).toContain(attribute);
    }
  });

  it("is well-formed for any content of the files", async () => {
    const { stdout } = await incident("validate . -o junit", {
      files: { ...broken, '<&".yaml': `${valid}"]]>\\uFFFF\\u0001<a>&": 1\n` },
    });
    expect(XMLValidator.validate(stdout)).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no XML may hold them.
    expect(stdout).not.toMatch(/[\u0000-\u0008\uFFFE\uFFFF]/);
  });
});

describe("incident validate --fix", () => {
  const written = `# why
name: Checkout fails   # headline
severity: "major" # as the runbook says
services: [{ id: ${serviceId}, name: 'Checkout' }]
incidentUpdates:
  - {status: resolved, description: 🚨 all is well}
  - status: 'Monitoring'
    description: We watch.
`;

  it("fixes letter case, shows the change, and keeps everything else", async () => {
    const world = createWorld({ files: { "x.yaml": written } });
    chmodSync(join(world.folder, "x.yaml"), 0o640);
    const { exitCode, stdout } = await world.run("validate x.yaml --fix");
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `x.yaml:3: fixed: MAJOR
x.yaml:6: fixed: RESOLVED
x.yaml:7: fixed: MONITORING
1 definition in 1 file: valid
`,
    });
    const path = join(world.folder, "x.yaml");
    const expected = written
      .replace("major", "MAJOR")
      .replace("resolved", "RESOLVED")
      .replace("Monitoring", "MONITORING");
    expect(readFileSync(path, "utf8")).toBe(expected);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(world.folder)).toEqual(["x.yaml"]);
  });

  const id = "00000000-0000-4000-8000-000000000001";
  it.each([
    ["block style", "# a\nname: x\n", `# a\nid: ${id}\nname: x\n`],
    ["CRLF", "name: x\r\nseverity: MAJOR\r\n", `id: ${id}\r\nname: x\r\nseverity: MAJOR\r\n`],
    ["a byte order mark", "\uFEFFname: x\n", `\uFEFFid: ${id}\nname: x\n`],
    ["flow style", "{ name: x }\n", `{ id: ${id}, name: x }\n`],
    ["JSON", '{\n  "name": "x"\n}\n', `{\n  "id": "${id}", "name": "x"\n}\n`],
    ["indented", "---\n  name: x\n  severity: MAJOR\n", `---\n  id: ${id}\n  name: x\n  severity: MAJOR\n`],
    ["a definition that has one", `id: ${id}\nname: x\n`, `id: ${id}\nname: x\n`],
    ["a field that is written with a question mark", "? name\n: x\n", "? name\n: x\n"],
    ["a text that is no YAML", "name: [\n", "name: [\n"],
    ["no definition", "# nothing\n", "# nothing\n"],
  ])("with --assign-ids gives an id to %s", async (_, before, after) => {
    const world = createWorld({ files: { "x.yaml": before } });
    await world.run("validate x.yaml --fix --assign-ids");
    expect(readFileSync(join(world.folder, "x.yaml"), "utf8")).toBe(after);
  });

  it("gives each document of a file a different id", async () => {
    const world = createWorld({ files: { "x.yaml": `${valid}---\n${valid}` } });
    const { exitCode, stdout } = await world.run("validate x.yaml --fix --assign-ids -o json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).fixes).toMatchObject([{ line: 1 }, { line: 6 }]);
    expect(new Set(readFileSync(join(world.folder, "x.yaml"), "utf8").match(/^id: .*$/gm)).size).toBe(2);
  });

  it.each([
    'name: "one：two\nseverity：MAJOR',
    "name: 'one\n- status：x\n\u00a0x：y",
    'incidentUpdates:\n  - description: "severity: major\n    status：x\n\u00a0\u00a0id: “y”\n',
  ])("changes no text that is no YAML: %j", async (text) => {
    const world = createWorld({ files: { "x.yaml": text } });
    expect((await world.run("validate x.yaml --fix")).exitCode).toBe(3);
    expect(readFileSync(join(world.folder, "x.yaml"), "utf8")).toBe(text);
  });

  it("fixes what is fixable and reports the rest", async () => {
    const world = createWorld({ files: { "x.yaml": `${files["bad.yaml"]}nme: x\n` } });
    const { exitCode, stdout, stderr } = await world.run("validate x.yaml --fix");
    expect(exitCode).toBe(3);
    expect(stdout).toContain(": fixed: MAJOR");
    expect(stderr).toContain("x.yaml:5:1: error");
    expect(stderr).not.toContain("unknown-severity");
  });

  it("leaves a value on several lines as it is, and names no command for it", async () => {
    const text = valid.replace("MAJOR", "|\n  major");
    const world = createWorld({ files: { "x.yaml": text } });
    const { exitCode, stderr } = await world.run("validate x.yaml --fix");
    expect({ exitCode, fix: /fix: .*/.exec(stderr)?.[0] }).toEqual({
      exitCode: 3,
      fix: "fix: write one of CRITICAL, MAJOR, MEDIUM, MINOR; did you mean MAJOR?",
    });
    expect(readFileSync(join(world.folder, "x.yaml"), "utf8")).toBe(text);
  });

  it("fixes a file whose aliases are longer than any text", async () => {
    const notes = `notes: [&t ${"x".repeat(700_000)}${", *t".repeat(900)}]`;
    const world = createWorld({ files: { "x.yaml": `name: x\nseverity: major\n${notes}\n` } });
    expect((await world.run("validate x.yaml --fix --assign-ids")).exitCode).toBe(3);
    const text = readFileSync(join(world.folder, "x.yaml"), "utf8");
    expect(text).toBe(`id: ${id}\nname: x\nseverity: MAJOR\n${notes}\n`);
  });

  it("does not change a value from a variable, or a guess", async () => {
    const text = valid
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the syntax of definitions.
      .replace("MAJOR", "${severity}")
      .replace("description:", "status: SOLVED, description:");
    const world = createWorld({ files: { "x.yaml": text } });
    const { exitCode } = await world.run("validate x.yaml --fix --var severity=major");
    expect(exitCode).toBe(3);
    expect(readFileSync(join(world.folder, "x.yaml"), "utf8")).toBe(text);
  });

  it("changes the target of a symbolic link, and keeps the link", async () => {
    const world = createWorld({ files: { "team/x.yaml": files["bad.yaml"] } });
    symlinkSync("team/x.yaml", join(world.folder, "link.yaml"));
    expect((await world.run("validate link.yaml --fix")).exitCode).toBe(0);
    expect(readFileSync(join(world.folder, "team/x.yaml"), "utf8")).toBe(valid);
  });
});
