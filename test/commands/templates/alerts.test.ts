// A template as the whole of an alert rule: when, dedupKey, values and otherwise.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { describe, expect, it } from "vitest";
import { unset } from "../../harness/builders.ts";
import { contractWith } from "../../harness/contracts.ts";
import { createWorld, incident } from "../../harness/incident.ts";
import { sentBody } from "../sample-definition.ts";

const head = `when: { status: [firing, ""] }
dedupKey: "\${groupKey}"
variables:
  commonLabels.severity: { values: { critical: CRITICAL, page: CRITICAL, warning: MAJOR }, otherwise: MEDIUM }
  summary: { maxLength: 20, otherwise: "\${groupLabels.alertname:-An alert}" }
`;
const body = `name: "\${summary}"
severity: "\${commonLabels.severity}"
services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]
incidentUpdates: [{ description: "\${summary}: we look into it." }]
`;
const withTemplate = (text: string) => ({ "incident-templates/rule.yaml": text });
const files = withTemplate(`${head}---\n${body}`);
const soon = "Fails: soon";
const fill = "create --template rule --vars -";
const validate = "validate incident-templates";
const alert = {
  status: "firing",
  groupKey: "{}:{a=1}",
  commonLabels: { severity: "page" },
  summary: "Payments fail",
  groupLabels: { alertname: "CheckoutErrors" },
};
const create = (input: object, flags = "", more = {}) =>
  incident(`create --template rule --vars - ${flags}`, { files, stdin: JSON.stringify(input), ...more });

describe("when", () => {
  it("declares where it matches, also one value of a list, and an absent value for an empty text", async () => {
    for (const status of ["firing", undefined]) {
      const { exitCode, requests, stdout, stderr } = await create({ ...alert, status }, "-o id");
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stdout).toMatch(/^[-\w]{36}\n$/);
      expect(sentBody(requests)).toMatchObject({ name: "Payments fail", severity: "CRITICAL" });
    }
  });

  it("declares nothing where it does not match, whatever else the input lacks", async () => {
    const { exitCode, requests, stdout, stderr } = await create({ status: "resolved" }, "-o id");
    expect({ exitCode, stdout, stderr, sent: requests.length }).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: 'nothing to declare: status is "resolved", not "firing" or ""\n',
      sent: 0,
    });
  });

  it("takes a * at the end of a value for any rest", async () => {
    const prefix = withTemplate(`${head.replace('[firing, ""]', '["fir*", "2"]')}---\n${body}`);
    const how = async (status: string) =>
      JSON.parse((await create({ ...alert, status }, "-o json", { files: prefix })).stdout).how;
    expect([await how("firing"), await how("fir"), await how("2"), await how("fi"), await how("21")]).toEqual(
      [...["declared", "declared", "declared"], ...["not-applicable", "not-applicable"]],
    );
  });

  it("compares numbers and true or false as the input has them", async () => {
    const typed = withTemplate(
      `${head.replace('status: [firing, ""]', "ok: false, level: [1, 2]")}---\n${body}`,
    );
    const result = async (input: object) =>
      JSON.parse((await create({ ...alert, ...input }, "-o json", { files: typed })).stdout).how;
    expect(await result({ ok: false, level: 2 })).toBe("declared");
    expect(await result({ ok: true, level: 2 })).toBe("not-applicable");
    expect(await result({ ok: false, level: 3 })).toBe("not-applicable");
  });

  it("says so to a script", async () => {
    const { exitCode, stdout } = await create({ ...alert, status: "resolved" }, "-o json");
    expect({ exitCode, data: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      data: { how: "not-applicable", because: 'status is "resolved", not "firing" or ""' },
    });
  });

  it("warns of a name that the input does not have, and declares nothing", async () => {
    const strict = withTemplate(`${head.replace('[firing, ""]', "firing, groupKey: '*'")}---\n${body}`);
    const warned = await create({ ...alert, status: undefined, statsu: "x" }, "", { files: strict });
    expect(warned).toMatchObject({
      exitCode: 0,
      stderr: `warning: the input has no status, so nothing is declared: when of the template needs "firing" there; did you mean statsu?; it has groupKey, commonLabels.severity, summary, groupLabels.alertname, statsu
nothing to declare: the input has no status
`,
      posts: 0,
    });
  });
});

it.each([
  ["a body with none of the names in when", '{"Records": [{"status": "firing"}]}', "it has Records.0.status"],
  ["an empty mapping", "{}", "it is empty"],
])("declares nothing for %s, and warns", async (_, stdin, told) => {
  const strict = withTemplate(`${head.replace('[firing, ""]', "firing")}---\n${body}`);
  const run = await incident("create --template rule --vars - -o json", { files: strict, stdin });
  expect({ exitCode: run.exitCode, how: JSON.parse(run.stdout).how, sent: run.requests.length }).toEqual({
    exitCode: 0,
    how: "not-applicable",
    sent: 0,
  });
  expect(run.stderr).toContain("the input has no status, so nothing is declared: ");
  expect(run.stderr).toContain(told);
});

describe("values and otherwise", () => {
  it.each([
    ["a value of the map", { severity: "warning" }, "MAJOR"],
    ["another value", { severity: "info" }, "MEDIUM"],
    ["an empty value", { severity: "" }, "MEDIUM"],
    ["a value that is not text", { severity: { a: 1 } }, "MEDIUM"],
    ["no value", {}, "MEDIUM"],
    ["a name of every object", { severity: "constructor" }, "MEDIUM"],
  ])("write for %s", async (_, commonLabels, severity) => {
    const { exitCode, requests, stderr } = await create({ ...alert, commonLabels });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(sentBody(requests)).toMatchObject({ severity });
  });

  it("read the input in otherwise, and cut what it writes", async () => {
    const names = async (input: object) =>
      (sentBody((await create({ ...alert, summary: "  ", ...input })).requests) as { name: string }).name;
    expect(await names({})).toBe("CheckoutErrors");
    expect(await names({ groupLabels: { alertname: "x".repeat(30) } })).toBe(`${"x".repeat(19)}…`);
    expect(await names({ groupLabels: {} })).toBe("An alert");
  });

  const lossy = "so an alert with another value, or with none, is lost";
  const noText = "has no text where the input has none of its names";

  it.each([
    ["values: { page: MAJOR }", `summary has no otherwise, ${lossy}`],
    ["maxLength: 20", `summary has no otherwise, ${lossy}`],
    ['otherwise: "${title}"', `the otherwise of summary ${noText}`],
    ['otherwise: ""', undefined],
    ['otherwise: "${title:-MAJOR}"', undefined],
    ['maxLength: 5, otherwise: "${title:-MAJORITY}"', undefined],
  ])("a template whose variable could lose an alert is refused: { %s }", async (rule, problem) => {
    const text = `when: { status: firing }\nvariables: { summary: { ${rule} } }\n---\n${body.replace('"${commonLabels.severity}"', "MAJOR").replace('name: "', 'name: "Fails: ')}`;
    const checked = await incident(validate, { files: withTemplate(text) });
    expect(checked.exitCode).toBe(problem === undefined ? 0 : 3);
    if (problem !== undefined) expect(checked.stdout + checked.stderr).toContain(`${problem} [no-otherwise]`);
    const sent = await create({ status: "firing", summary: "MAJOR", title: "x" }, "", {
      files: withTemplate(text),
    });
    expect(sent.exitCode).toBe(problem === undefined ? 0 : 3);
    // A template for people asks them.
    const asks = await incident(validate, {
      files: withTemplate(text.replace("when: { status: firing }\n", "")),
    });
    expect(asks.exitCode).toBe(0);
  });

  it.each([
    ["[firing, urgent]", true],
    ["firing", true],
    ['[firing, ""]', false],
    ["[firing, other]", false],
    ['"fir*"', false],
  ])("a variable needs no otherwise where when allows only what it can write: %s", async (when, isValid) => {
    const text = `when: { status: ${when} }\nvariables: { status: { values: { firing: MAJOR, urgent: CRITICAL } } }\n---\n${body.replace("${commonLabels.severity}", "${status}").replaceAll("${summary}", "Fails")}`;
    const { exitCode } = await incident(validate, { files: withTemplate(text) });
    expect(exitCode).toBe(isValid ? 0 : 3);
  });
});

describe("an input that is no alert", () => {
  it.each([
    [
      "HTML",
      "<!DOCTYPE html><h1>502</h1>",
      'no JSON or YAML with variables, 27 bytes that begin with "<!DOCTYPE',
    ],
    ["XML", "<?xml version='1.0'?><a/>", "no JSON or YAML"],
    ["plain text with a colon", "upstream error: no healthy upstream", "no JSON or YAML"],
    ["nothing, as after a broken pipe", "", "no JSON or YAML"],
    ["blank", " \n", "no JSON or YAML"],
    ["a form", "payload=%7B%22a%22%3A1%7D&token=x", "no JSON or YAML"],
  ])("is an error about the input: %s", async (_, stdin, message) => {
    const { exitCode, requests, stderr } = await incident(fill, { files, stdin });
    expect({ exitCode, sent: requests.length, stderr }).toMatchObject({ exitCode: 3, sent: 0 });
    expect(stderr).toContain(`<stdin>:1:1: error: the input is ${message}`);
    expect(stderr).not.toContain("--var ");
    expect(stderr).not.toContain("\u001b");
  });

  it("names the error of JSON that is complete and wrong", async () => {
    const { exitCode, stderr } = await incident(fill, { files, stdin: '{"status": "firing", "a": [1 2}]}' });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("[yaml-syntax]");
  });
});

it("a value has its line breaks and control characters taken out of a name, in a definition as well", async () => {
  const summary = "Payments\u2028fail\u0007 now";
  const { requests } = await create({ ...alert, summary });
  expect(sentBody(requests)).toMatchObject({ name: "Payments fail now" });
  const plain = { "x.yaml": body.replace('"${commonLabels.severity}"', "MAJOR") };
  const run = await incident("create x.yaml --vars -", { files: plain, stdin: JSON.stringify({ summary }) });
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
  expect(sentBody(run.requests)).toMatchObject({ name: "Payments fail now" });
  for (const each of ["Payments\nfail", "Payments\u2029fail"])
    expect(sentBody((await create({ ...alert, summary: each })).requests)).toMatchObject({
      name: "Payments fail",
    });
  const spaced = { ...alert, summary: "\u969c\u5bb3\u3000A\u00a0:  B" };
  expect(sentBody((await create(spaced)).requests)).toMatchObject({ name: spaced.summary });
});

describe("internals in the values of an alert", () => {
  const leaky = { ...alert, summary: "10.0.0.7 down" };

  it("are replaced by otherwise, with a warning, also where the policy forbids them", async () => {
    for (const policy of ["", "policy: { leaks: forbid }\n"]) {
      const { exitCode, requests, stderr } = await create(leaky, "", {
        files: { ...files, ".incident.yaml": policy },
      });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(sentBody(requests)).toMatchObject({ name: "CheckoutErrors" });
      expect(stderr.split("\n")[0]).toBe(
        'warning: the value of summary has a private address: "10.0.0.7", and customers would read it: otherwise stands in its place [leak]',
      );
    }
    const both = { ...leaky, groupLabels: { alertname: "10.0.0.8" } };
    expect(sentBody((await create(both)).requests)).toMatchObject({ name: "An alert" });
  });

  it("are not repeated where they are a key", async () => {
    const key = ["ghp", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5"].join("_");
    const { requests, stderr } = await create({ ...alert, summary: key });
    expect(sentBody(requests)).toMatchObject({ name: "CheckoutErrors" });
    expect(stderr).toContain("the variable summary has internals: otherwise stands in its place\n");
    expect(stderr).not.toContain(key);
  });

  it("are not looked for in a variable that only the key reads, which needs no otherwise", async () => {
    const keyed = withTemplate(`${head.replace("variables:\n", "variables:\n  groupKey:\n")}---\n${body}`);
    const checked = await incident(validate, { files: keyed });
    expect({ exitCode: checked.exitCode, stderr: checked.stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { exitCode, stderr } = await create({ ...alert, groupKey: "10.0.0.7" }, "", { files: keyed });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain("leak");
  });
});

describe("no value loses an alert", () => {
  const long = "x".repeat(300);
  const free = (variable: string) =>
    `when: { status: firing }\nvariables: { v: ${variable} }\n---\n${body.replaceAll("${summary}", "Fails: ${v}").replace("${commonLabels.severity}", "MAJOR")}`;

  it.each([
    [
      "a name over the limit of the API",
      "",
      long,
      `Fails: ${"x".repeat(247)}…`,
      "name has 307 characters: it is cut to 255 [name-too-long]",
    ],
    [
      "a name over the limit of the policy",
      "policy: { name: { maxLength: 20 } }",
      long,
      `Fails: ${"x".repeat(12)}…`,
      "name has 255 characters: it is cut to 20 [policy-text]",
    ],
    [
      "a word that the policy forbids",
      "policy: { name: { forbid: [db] } }",
      "the DB is down",
      soon,
      'the policy of this project forbids "db" in name: otherwise stands in its place [policy-text]',
    ],
    ["a zero-width space", "", "\u200b", soon, "the variable v is blank: otherwise stands in its place"],
    ["a value of spaces", "", "  ", soon, "the variable v is blank: otherwise stands in its place"],
  ])("%s", async (_, policy, v, name, told) => {
    const own = { ...withTemplate(free("{ otherwise: soon }")), ".incident.yaml": `${policy}\n` };
    const checked = await incident(validate, { files: own });
    expect({ exitCode: checked.exitCode, stderr: checked.stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { exitCode, requests, stderr } = await create({ status: "firing", v }, "", { files: own });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`warning: ${told}\n`),
    });
    expect(sentBody(requests)).toMatchObject({ name });
  });

  it("a service of the catalog whose name is refused takes the otherwise", async () => {
    const services = `services:
  db: { name: db-1.internal, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  checkout: { name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6c }
policy: { leaks: forbid }
`;
    const named = free("{ otherwise: checkout }")
      .replace(/services: .*/, 'services: ["${v}"]')
      .replaceAll("Fails: ${v}", "It fails");
    const own = { ...withTemplate(named), ".incident.yaml": services };
    const { exitCode, requests } = await create({ status: "firing", v: "db" }, "", { files: own });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({ services: [{ name: "Checkout" }] });
  });

  it("a text is cut beside flags that set fields", async () => {
    const own = withTemplate(free("{ otherwise: soon }"));
    const { exitCode, requests } = await create({ status: "firing", v: long }, "--notify", { files: own });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({
      name: `Fails: ${"x".repeat(247)}…`,
      incidentUpdates: [{ notifySubscribers: true }],
    });
  });

  it.each<[string, object, string, string]>([
    [
      "its limit cuts the text",
      { maxLength: 20 },
      `Fails: ${"x".repeat(12)}…`,
      "the service requires maxLength 20 of name, which has 255: it is cut to 20 [contract]",
    ],
    ["others take the otherwise", { enum: [soon] }, soon, "otherwise stands in its place [contract]"],
  ])("the contract allows less: %s", async (_, rule, name, told) => {
    const contract = contractWith({ properties: { name: rule } });
    const own = { ...withTemplate(free("{ otherwise: soon }")), "incident.contract.json": contract };
    const checked = await incident(validate, { files: own });
    expect({ exitCode: checked.exitCode, stderr: checked.stderr }).toEqual({ exitCode: 0, stderr: "" });
    const { exitCode, requests, stderr } = await create({ status: "firing", v: long }, "", { files: own });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(told) });
    expect(sentBody(requests)).toMatchObject({ name });
  });

  it("takes the otherwise that reads the input only where no rule refuses that", async () => {
    const own = {
      ...withTemplate(free('{ otherwise: "${title:-soon}" }')),
      ".incident.yaml": "policy: { name: { forbid: [db] } }\n",
    };
    const nameOf = async (title: string) =>
      (
        sentBody((await create({ status: "firing", v: "db", title }, "", { files: own })).requests) as {
          name: string;
        }
      ).name;
    expect(await nameOf("Payments")).toBe("Fails: Payments");
    expect(await nameOf("db 7")).toBe(soon);
  });

  it("a body of 15 MiB is read, and a larger one than 16 MiB is refused with the limit of the tool", async () => {
    const alerts = Array.from({ length: 1500 }, (__, index) => ({ summary: `${index} ${long.repeat(33)}` }));
    const large = JSON.stringify({ ...alert, alerts });
    expect(large.length).toBeGreaterThan(14 * 1024 * 1024);
    const { exitCode, requests } = await incident(fill, { files, stdin: large });
    expect(exitCode).toBe(0);
    expect(sentBody(requests)).toMatchObject({ name: "Payments fail" });
    const refused = await incident(fill, { files, stdin: large.replace("}", `}${" ".repeat(3e6)}`) });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain(
      "the input is larger than 16 MiB, the limit of this tool [file-too-large]",
    );
  });

  it("a number keeps its spelling", async () => {
    const own = withTemplate(free("{ otherwise: soon }"));
    const stdin = '{"status": "firing", "v": 548537989086384527.10}';
    const { requests } = await incident(fill, { files: own, stdin });
    expect(sentBody(requests)).toMatchObject({ name: "Fails: 548537989086384527.10" });
  });
});

describe("a JSON text in Message", () => {
  const sns = withTemplate(`when: { Message.NewStateValue: ALARM }
dedupKey: "\${Message.AlarmArn}"
variables: { Message.AlarmName: { otherwise: An alarm } }
---
${body.replaceAll("${summary}", "${Message.AlarmName}").replace("${commonLabels.severity}", "MAJOR")}`);
  const message = { AlarmArn: "a", AlarmName: "Latency", NewStateValue: "ALARM", Trigger: { Period: 1.1 } };

  it("is read as JSON", async () => {
    const stdin = JSON.stringify({ Type: "Notification", Message: JSON.stringify(message) });
    const { exitCode, requests, stderr } = await incident(fill, { files: sns, stdin });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(sentBody(requests)).toMatchObject({ name: "Latency" });
  });

  it("is read in YAML as well, and once where aliases repeat it", async () => {
    const text = JSON.stringify({ ...message, Padding: Array.from({ length: 10_000 }, () => "x") });
    const stdin = `Message: &m '${text}'\nothers: [${"*m,".repeat(5000)}]\n`;
    const { requests } = await incident(fill, { files: sns, stdin });
    expect(sentBody(requests)).toMatchObject({ name: "Latency" });
  });

  it("stays text where it is not", async () => {
    const stdin = JSON.stringify({ Message: "{Latency is high" });
    const { exitCode, stderr } = await incident(fill, { files: sns, stdin });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("the input has no Message.NewStateValue, so nothing is declared");
  });
});

describe("dedupKey", () => {
  it("is the key of the create, and --dedup-key and --key take its place", async () => {
    const idOf = async (flags: string, input: object = alert) =>
      (await create(input, `${flags} -o id`)).stdout.trim();
    const own = await idOf("");
    expect(await idOf("--dedup-key {}:{a=1}")).toBe(own);
    expect(await idOf("--dedup-key other")).not.toBe(own);
    expect(await idOf("--key {}:{a=1}")).not.toBe(own);
    expect(await idOf("", { ...alert, groupKey: "other" })).not.toBe(own);
  });

  it.each(["{EVENT.ID}", "{$URL}", "$ALERT_ID", "{{CHECK_ID}}", "*UNKNOWN*"])(
    "is no name that the sender did not replace: %s",
    async (groupKey) => {
      const { exitCode, requests, stderr } = await create({ ...alert, groupKey });
      expect({ exitCode, sent: requests.length, first: stderr.split("\n")[0] }).toEqual({
        exitCode: 2,
        sent: 0,
        first: `error: groupKey is "${groupKey}", which its sender did not replace`,
      });
    },
  );

  it.each([{ groupKey: undefined }, { groupKey: "" }])(
    "without its value is a usage error: %o",
    async (lacking) => {
      const { exitCode, requests, stderr } = await create({ ...alert, ...lacking });
      expect({ exitCode, sent: requests.length, first: stderr.split("\n")[0] }).toEqual({
        exitCode: 2,
        sent: 0,
        first: "error: the template rule needs groupKey",
      });
    },
  );
});

describe("one line for each body of an alert", () => {
  const line = "create --template rule --vars - -o json";
  const over = JSON.stringify({ status: "resolved", groupKey: alert.groupKey });
  it("is no failure for a body to ignore without a service", async () => {
    const { exitCode, stdout } = await createWorld({ files, env: unset }).run(line, { stdin: over });
    expect({ exitCode, data: JSON.parse(stdout) }).toMatchObject({
      exitCode: 0,
      data: { how: "not-applicable" },
    });
  });
});

describe("validate", () => {
  it("accepts every combination, and names that only the rule uses", async () => {
    const declared = head.replace("variables:\n", "variables:\n  groupKey: { maxLength: 80 }\n  status:\n");
    const { exitCode, stderr } = await incident("validate", {
      files: withTemplate(`${declared}---\n${body}`),
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });
});
