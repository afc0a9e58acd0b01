// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TemplateVariable } from "../../../src/incident/template-rules.ts";
import { incident } from "../../harness/incident.ts";
import { sentBody } from "../sample-definition.ts";

const project = `services:
  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  search: { name: Search, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6c }
`;
const variables = `variables:
  region: { enum: [eu, us], description: The region of the customers }
  service: { enum: [checkout, search], default: checkout }
  alerts.0.summary: { maxLength: 40, truncate: true }
  ticket: { pattern: "^OPS-[0-9]+$", required: false }
`;
const definition = `name: "\${service} fails in \${region}: \${alerts.0.summary}"
severity: MAJOR
services: ["\${service}"]
incidentUpdates:
  - description: "We are looking into it: \${alerts.0.summary} \${ticket}"
`;
const template = `${variables}---\n${definition}`;
const files = { ".incident.yaml": project, "incident-templates/api-down.yaml": template };
const given = "--var region=eu --var alerts.0.summary=Slow";

describe("create --template", () => {
  it("declares the definition with its values", async () => {
    const { exitCode, requests } = await incident(`create --template api-down ${given} --var ticket=OPS-7`, {
      files,
    });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({
      name: "checkout fails in eu: Slow",
      services: [{ name: "Checkout" }],
      incidentUpdates: [{ description: "We are looking into it: Slow OPS-7" }],
    });
  });

  it("names every missing value at once, and sends nothing", async () => {
    const { exitCode, requests, stderr } = await incident("create --template api-down", { files });
    expect({ exitCode, stderr, sent: requests.length }).toEqual({
      exitCode: 2,
      stderr: `error: the template api-down needs region and alerts.0.summary
  next: add --var region=… --var alerts.0.summary=…, or give a file with --vars; nothing was sent
    incident templates show api-down  # see its variables
`,
      sent: 0,
    });
  });

  it.each([
    ["--var region=asia --var alerts.0.summary=x", "the variable region must be one of eu, us"],
    [`${given} --var ticket=7`, "the variable ticket must match the pattern ^OPS-[0-9]+$"],
    [
      "--var region=asia",
      "the template api-down needs alerts.0.summary; the variable region must be one of eu, us",
    ],
    ["--var region= --var alerts.0.summary=x", "the template api-down needs region"],
  ])("with %s is a usage error", async (flags, message) => {
    const { exitCode, stderr } = await incident(`create --template api-down ${flags}`, { files });
    expect({ exitCode, first: stderr.split("\n")[0] }).toEqual({ exitCode: 2, first: `error: ${message}` });
  });

  it("asks at a terminal for each missing value, with a list for an enumeration", async () => {
    const { exitCode, requests, screen } = await incident("create --template api-down", {
      files,
      terminal: { stdin: true, stdout: true, stderr: true },
      answers: ["us", "Slow"],
    });
    expect({ exitCode, screen }).toMatchObject({ exitCode: 0 });
    expect(screen).toContain("region: The region of the customers");
    expect(screen).toContain("alerts.0.summary?");
    expect(sentBody(requests)).toMatchObject({ name: "checkout fails in us: Slow" });
  });

  it("cuts a long value where the template says so, and keeps the name within its limit", async () => {
    const long = "x".repeat(5000);
    const wide = variables.replace("maxLength: 40", "maxLength: 400");
    const { requests } = await incident(
      `create --template api-down --var region=eu --var alerts.0.summary=${long}`,
      {
        files: { ...files, "incident-templates/api-down.yaml": `${wide}---\n${definition}` },
      },
    );
    const { name, incidentUpdates } = sentBody(requests) as {
      name: string;
      incidentUpdates: { description: string }[];
    };
    expect([...name]).toHaveLength(255);
    expect(name.endsWith("x…")).toBe(true);
    expect(incidentUpdates[0]?.description).toBe(`We are looking into it: ${"x".repeat(399)}… `);
  });

  it("refuses a long value elsewhere", async () => {
    const strict = template.replace(", truncate: true", "");
    const { exitCode, stderr } = await incident(
      `create --template api-down --var region=eu --var alerts.0.summary=${"x".repeat(41)}`,
      { files: { ...files, "incident-templates/api-down.yaml": strict } },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("the variable alerts.0.summary has 41 characters: shorten it to at most 40");
  });

  it("suggests the name of a template", async () => {
    const { exitCode, stderr } = await incident("create --template api-dwn", { files });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: there is no template "api-dwn" in incident-templates
  next: see incident templates list; did you mean api-down?
`,
    });
  });

  it("cannot be used together with files", async () => {
    const { exitCode, stderr } = await incident("create -f a.yaml --template api-down", { files });
    expect({ exitCode, first: stderr.split("\n")[0] }).toEqual({
      exitCode: 2,
      first: "error: --template cannot be used together with files",
    });
  });

  it("reads the folder that the project names", async () => {
    const { exitCode } = await incident(`create --template down ${given}`, {
      files: {
        ".incident.yaml": `templates: on-call/templates\n${project}`,
        "on-call/templates/down.yml": template,
      },
    });
    expect(exitCode).toBe(0);
  });

  it.each(["..", "../api-down", "a/b", ".hidden"])(
    "does not read outside of the folder: %s",
    async (name) => {
      const { exitCode, stderr } = await incident(`create --template ${name} ${given}`, {
        files: { ...files, "api-down.yaml": template, "incident-templates/.hidden.yaml": template },
      });
      expect({ exitCode, first: stderr.split("\n")[0] }).toEqual({
        exitCode: 2,
        first: `error: there is no template "${name}" in incident-templates`,
      });
    },
  );

  it("cannot be changed in its structure by any value", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (value) => {
        const { exitCode, requests, stderr } = await incident("create --template api-down --vars - -o json", {
          files,
          stdin: JSON.stringify({ region: "eu", alerts: [{ summary: value }] }),
          inMemory: true,
        });
        expect([0, 2, 3], stderr).toContain(exitCode);
        if (exitCode !== 0) return;
        const body = sentBody(requests) as Record<string, unknown>;
        expect(Object.keys(body).sort()).toEqual(["id", "incidentUpdates", "name", "services", "severity"]);
        expect(body).toMatchObject({
          severity: "MAJOR",
          services: [{ name: "Checkout" }],
          incidentUpdates: [{}],
        });
        expect(body.name).not.toMatch(/[\r\n\t]/);
      }),
      { numRuns: 80 },
    );
  });
});

describe("templates", () => {
  it("lists the templates", async () => {
    const { exitCode, stdout } = await incident("templates", { files });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `NAME      HEADLINE                                            VARIABLES
api-down  \${service} fails in \${region}: \${alerts.0.summary}  region, service, alerts.0.summary, ticket
`,
    });
  });

  it("says where to write the first one", async () => {
    const { exitCode, stdout, stderr } = await incident("templates list");
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "there is no template in incident-templates; see incident templates list --help\n",
    });
  });

  it("shows the variables, and the text that customers would see", async () => {
    const { exitCode, stdout } = await incident("templates show api-down --var service=search", { files });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `VARIABLE          VALUE              RULE
region            required           The region of the customers; one of eu, us
service           default: checkout  one of checkout, search
alerts.0.summary  required           at most 40 characters, cut where longer
ticket            default: (empty)   matches ^OPS-[0-9]+$

What customers will see:

search fails in eu: <alerts.0.summary>

  status    not given
  severity  ▲ MAJOR
  services  Search

  not given
    We are looking into it: <alerts.0.summary> <ticket>
`,
    });
  });

  it("offers names, variables and values to the shell", async () => {
    const complete = async (words: string) =>
      (await incident(`completion --words -- ${words}`, { files })).stdout;
    expect(await complete("create --template ''")).toBe("api-down\ta template of this project\n");
    expect(await complete("create --template api-down --var re")).toBe(
      "region=eu\ta variable of the template\nregion=us\ta variable of the template\n",
    );
    expect(await complete("templates show api-down --var al")).toBe(
      "alerts.0.summary=\ta variable of the template\n",
    );
  });
});

describe("validate of a template", () => {
  it("reads the project's templates without an argument", async () => {
    const { exitCode, stdout } = await incident("validate", { files });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "1 template in 1 file: valid\n" });
  });

  it.each([
    [
      "an undeclared variable",
      template.replace("ticket}", "tickt}"),
      [
        "incident-templates/t.yaml:5:3: error: the definition does not use the variable ticket [unused-variable]",
        "incident-templates/t.yaml:11:63: error: the template does not declare the variable tickt [undeclared-variable]",
      ],
    ],
    [
      "an enumerated value that makes the definition invalid",
      template.replace("search]", "serch]"),
      [
        'incident-templates/t.yaml:9:12: error: "serch" is not in the catalog of services, with region=eu service=serch [unknown-service]',
      ],
    ],
    [
      "an error of the definition itself",
      template.replace("MAJOR", "HIGH"),
      ['incident-templates/t.yaml:8:11: error: "HIGH" is not a severity [unknown-severity]'],
    ],
    [
      "a pattern with a lookahead",
      template.replace("^OPS-[0-9]+$", "(?=a)b"),
      ['incident-templates/t.yaml:5:22: error: "(?=a)b" is not a pattern that can be used [bad-pattern]'],
    ],
    [
      "a default that breaks its rule",
      template.replace("default: checkout", "default: mail"),
      [
        "incident-templates/t.yaml:3:49: error: the default of service must be one of checkout, search [bad-default]",
      ],
    ],
    [
      "a misspelt rule",
      template.replace("truncate:", "trunkate:"),
      ['incident-templates/t.yaml:4:38: error: "trunkate" is not a field here [unknown-field]'],
    ],
    [
      "variables alone",
      variables,
      [
        "incident-templates/t.yaml:1:1: error: a template has two documents: variables, and a definition that uses them [no-definition]",
      ],
    ],
  ])("finds %s", async (_, text, expected) => {
    const { exitCode, stderr } = await incident("validate incident-templates", {
      files: { ".incident.yaml": project, "incident-templates/t.yaml": text },
    });
    expect({ exitCode, found: stderr.split("\n").filter((line) => /^\S+:\d+:\d+: /.test(line)) }).toEqual({
      exitCode: 3,
      found: expected,
    });
  });

  it("as a definition is an error that names --template", async () => {
    const { exitCode, requests, stderr } = await incident("create -f incident-templates/api-down.yaml", {
      files,
    });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 3, sent: 0 });
    expect(stderr).toContain("this file is a template, not a definition [no-definition]");
    expect(stderr).toContain("incident create --template NAME");
  });
});

describe("new --from", () => {
  it("writes a definition with an id, ready to be declared", async () => {
    const { exitCode, stdout } = await incident(`new --from api-down ${given}`, { files });
    expect(exitCode).toBe(0);
    const sent = await incident("create -f -", { stdin: stdout });
    expect(sent.exitCode).toBe(0);
    expect(sentBody(sent.requests)).toMatchObject({
      id: /^id: (\S+)$/m.exec(stdout)?.[1],
      name: "checkout fails in eu: Slow",
    });
  });
});

it.each(["templates --help", "templates list --help"])("%s lists every field of a variable", async (page) => {
  const every = {
    ...{ description: 0, default: 0, enum: 0, pattern: 0, required: 0 },
    ...{ maxLength: 0, truncate: 0, values: 0, otherwise: 0 },
  } satisfies Record<keyof TemplateVariable, 0>;
  const { stdout } = await incident(page);
  const listed = /A variable may have ([^.]*)\./.exec(stdout)?.[1] ?? "";
  expect(listed.split(/,\s+|\s+and\s+/).sort()).toEqual(Object.keys(every).sort());
});
