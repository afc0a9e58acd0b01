// The bodies that alert systems send, in fixtures/alerts, with the templates in fixtures/incident-templates.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sampled } from "../../harness/cases.ts";
import { documents } from "../../harness/documents.ts";
import { createWorld, type World } from "../../harness/incident.ts";
import { sentBody } from "../sample-definition.ts";

const fixtures = new URL("../../../fixtures/", import.meta.url);
const read = (folder: string) =>
  new Map(
    readdirSync(new URL(folder, fixtures)).map((name) => [
      name.replace(/\.\w+$/, ""),
      readFileSync(new URL(`${folder}/${name}`, fixtures), "utf8"),
    ]),
  );
const templates = read("incident-templates");
const bodies = read("alerts");
const files = Object.fromEntries(
  [...templates].map(([name, text]) => [`incident-templates/${name}.yaml`, text]),
);

/** What customers read for each body that fires. */
const name = "A problem with Checkout";
const description = "We are looking for the cause.";

interface System {
  /** Each body that fires, with its severity. The sub-alerts of the first one are among them: all have one key. */
  readonly fires: Readonly<Record<string, string>>;
  /** Under a key of its own. */
  readonly alone?: Readonly<Record<string, string>>;
  /** Ends the alert; undefined for a template that ends none. */
  readonly over?: string;
  /** The texts of the first body that differ where the system fires again later. */
  readonly refire: readonly (readonly [from: string, to: string])[];
  /** The incidents of three alerts at once: one where the system groups them. */
  readonly incidents: 1 | 3;
  /** Their bodies, where one has a text in place of another. */
  readonly three: readonly (readonly [body: string, from?: string, to?: string])[];
  /** Neither declares nor ends an incident, as where a person has acknowledged the alert. */
  readonly neither?: readonly string[];
}

const systems: Readonly<Record<string, System>> = {
  alertmanager: {
    fires: {
      alertmanager: "CRITICAL",
      "alertmanager-page": "CRITICAL",
      "alertmanager-mixed": "MAJOR",
      "alertmanager-three": "CRITICAL",
    },
    alone: { "alertmanager-bare": "CRITICAL" },
    over: "alertmanager-resolved",
    refire: [["T06:20:00Z", "T09:20:00Z"]],
    incidents: 1,
    three: [["alertmanager"], ["alertmanager-three"], ["alertmanager-mixed"]],
  },
  grafana: {
    fires: { grafana: "MEDIUM", "grafana-three": "MEDIUM" },
    over: "grafana-resolved",
    refire: [["T06:20:00Z", "T09:20:00Z"]],
    incidents: 1,
    three: [["grafana"], ["grafana-three"]],
    neither: ["grafana-test"],
  },
  pagerduty: {
    fires: { pagerduty: "CRITICAL", "pagerduty-reopened": "MAJOR" },
    over: "pagerduty-resolved",
    refire: [
      ["incident.triggered", "incident.reopened"],
      ['occurred_at": "2026-11-20T06', 'occurred_at": "2026-11-20T09'],
    ],
    incidents: 3,
    three: [["pagerduty"], ["pagerduty", "Q1EXAMPLE", "Q2EXAMPLE"], ["pagerduty", "Q1EXAMPLE", "Q3EXAMPLE"]],
    neither: ["pagerduty-acknowledged", "pagerduty-ping"],
  },
  datadog: {
    fires: {
      datadog: "MAJOR",
      "datadog-again": "MAJOR",
      "datadog-priority": "MAJOR",
      "datadog-host-a": "MAJOR",
      "datadog-host-b": "MAJOR",
      "datadog-host-c": "MAJOR",
    },
    neither: ["datadog-recovered", "datadog-test"],
    refire: [["1795155660000", "1795166460000"]],
    incidents: 1,
    three: [["datadog-host-a"], ["datadog-host-b"], ["datadog-host-c"]],
  },
  opsgenie: {
    fires: { opsgenie: "MAJOR" },
    over: "opsgenie-close",
    refire: [
      ["1795155660365", "1795166460365"],
      ["8743a1b2-11da", "8743a1b2-22eb"],
    ],
    incidents: 3,
    three: [
      ["opsgenie"],
      ["opsgenie", "8743a1b2-11da", "8743a1b2-33fc"],
      ["opsgenie", "8743a1b2-11da", "8743a1b2-44ad"],
    ],
    neither: ["opsgenie-acknowledge"],
  },
  cloudwatch: {
    fires: { cloudwatch: "MAJOR", "cloudwatch-without-arn": "MAJOR" },
    over: "cloudwatch-ok",
    refire: [["T06:21:00", "T09:21:00"]],
    incidents: 3,
    three: [
      ["cloudwatch"],
      ["cloudwatch", "checkout-5xx", "checkout-4xx"],
      ["cloudwatch", "checkout-5xx", "checkout-latency"],
    ],
    neither: ["cloudwatch-no-data", "cloudwatch-subscribe", "cloudwatch-raw"],
  },
  sentry: {
    fires: { sentry: "CRITICAL", "sentry-warning": "MAJOR" },
    over: "sentry-resolved",
    refire: [["T06:20:00", "T09:20:00"]],
    incidents: 3,
    three: [["sentry"], ["sentry", "4711", "4712"], ["sentry", "4711", "4713"]],
  },
  zabbix: {
    fires: { zabbix: "MAJOR" },
    over: "zabbix-over",
    refire: [
      ["4711", "4799"],
      ["06:21:00", "09:21:00"],
    ],
    incidents: 3,
    three: [["zabbix"], ["zabbix", "4711", "4712"], ["zabbix", "4711", "4713"]],
    neither: ["zabbix-acknowledged", "zabbix-test"],
  },
  checkly: {
    fires: { checkly: "MAJOR", "checkly-degraded": "MINOR" },
    over: "checkly-recovered",
    refire: [["T06:21:00", "T09:21:00"]],
    incidents: 3,
    three: [["checkly"], ["checkly", "6b1f4a52", "6b1f4a53"], ["checkly", "6b1f4a52", "6b1f4a54"]],
    neither: ["checkly-ssl", "checkly-test"],
  },
};

/** `changes`: texts in place of others. */
async function send(
  world: World,
  template: string,
  body: string,
  changes: readonly (readonly [from: string, to: string])[] = [],
) {
  const line = `create --template ${template} --vars - --no-input -o json`;
  const stdin = changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, bodies.get(body) as string);
  const { exitCode, requests, stderr, stdout } = await world.run(line, { stdin });
  const { how, id } = stdout.trim() === "" ? {} : JSON.parse(stdout);
  const sent = requests.filter(({ method }) => method === "POST");
  return { exitCode, how, id, sent, stderr };
}

/** As a person does at the service. */
async function resolve(world: World, id: string) {
  const { exitCode, stderr } = await world.run(`update ${id} --status resolved --message Solved. --no-input`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
}

const wordsOf = (text: string) =>
  text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}._@:/-]{2,}[\p{L}\p{N}]/gu) ?? [];

/** The texts of a value, also of JSON in a text. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string" && /^\s*\{"/.test(value)) return textsIn(JSON.parse(value));
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return [String(value)];
}

/** The words of the body, and its whole texts, that the request has, beside those of the template and severities. */
function foreignWords(template: string, body: string, request: string): readonly string[] {
  const ours = new Set([
    ...wordsOf(templates.get(template)?.split("\n---\n")[1] ?? ""),
    ...["critical", "major", "medium", "minor"],
    ...wordsOf("The problem is over. RESOLVED false true null"),
  ]);
  const isGuid = (text: string) => /^[\da-f-]{36}$/.test(text);
  const sent = textsIn(JSON.parse(request))
    .filter((text) => !isGuid(text))
    .join("\n")
    .toLowerCase();
  return textsIn(JSON.parse(body))
    .flatMap((text) => [text.toLowerCase(), ...wordsOf(text)])
    .filter((text) => text.length >= 4 && !ours.has(text) && sent.includes(text));
}

/** Grafana sends the body of Alertmanager, with more fields. */
const isTwin = (name: string) => /^alertmanager|^grafana/.test(name);

const world = () => createWorld({ files, sandbox: { onlySpec: false } });

describe.each(Object.entries(systems))("the template %s", (template, system) => {
  const { alone = {}, fires, over } = system;
  const first = Object.keys(fires)[0] as string;

  it.each(Object.entries({ ...fires, ...alone }))(
    "declares %s once, in our words alone",
    async (body, severity) => {
      const own = world();
      const { exitCode, how, id, sent, stderr } = await send(own, template, body);
      expect({ exitCode, how, stderr }).toEqual({ exitCode: 0, how: "declared", stderr: "" });
      expect(sentBody(sent)).toMatchObject({ id, name, severity, incidentUpdates: [{ description }] });
      expect(foreignWords(template, bodies.get(body) as string, sent[0]?.body ?? "")).toEqual([]);
      expect(await send(own, template, body)).toMatchObject({ how: "open", id, sent: [] });
    },
  );

  it("declares one incident for all bodies of one alert", async () => {
    const own = world();
    const ids = new Set<string>();
    for (const body of Object.keys(fires)) ids.add((await send(own, template, body)).id);
    expect(ids.size).toBe(1);
  });

  it.runIf(over !== undefined)("ends the incident in our words alone, and nothing before it", async () => {
    const own = world();
    const body = over as string;
    expect(await send(own, template, body)).toMatchObject({ how: "not-applicable", sent: [] });
    await send(own, template, first);
    const { sent } = await send(own, template, body);
    expect(sent).toHaveLength(1);
    expect(foreignWords(template, bodies.get(body) as string, sent[0]?.body ?? "")).toEqual([]);
  });

  it("declares nothing for the bodies of other systems", async () => {
    const own = world();
    const others = Object.keys(systems).filter(
      (name) => name !== template && !(isTwin(template) && isTwin(name)),
    );
    const foreign = others.flatMap((name) => Object.keys(systems[name]?.fires ?? {}).slice(0, 1));
    for (const body of sampled(foreign, 3)) {
      const { exitCode, how, sent } = await send(own, template, body);
      expect({ body, exitCode, how, sent }).toEqual({
        ...{ body, sent: [] },
        ...(exitCode === 0
          ? { exitCode, how: "not-applicable" }
          : { exitCode: expect.any(Number), how: undefined }),
      });
    }
  });
});

/** The answer to a delivery, and the text of customers where one is sent. */
function describeDelivery({ how, sent }: Awaited<ReturnType<typeof send>>): string {
  const said = sent.map(({ body = "" }) => {
    const { description, incidentUpdates: [update] = [], name, severity, status } = JSON.parse(body);
    return name === undefined
      ? `${status}: ${description}`
      : `${severity} ${name}. ${update.status}: ${update.description}`;
  });
  return [how, ...said].join(" | ");
}

it("customers see the texts of the golden file", async () => {
  const rows: string[] = [];
  for (const [template, { fires, neither = [], over, refire, three }] of Object.entries(systems)) {
    const first = Object.keys(fires)[0] as string;
    const own = world();
    const row = async (label: string, body: string, changes: System["refire"] = []) =>
      rows.push(`  ${label.padEnd(24)}${describeDelivery(await send(own, template, body, changes))}`);
    rows.push(template);
    await row("fires", first);
    await row("is delivered again", first);
    for (const body of neither) await row(body.replace(`${template}-`, ""), body);
    if (over === undefined) await resolve(own, (await send(own, template, first)).id);
    else {
      await row("is over", over);
      await row("the end again", over);
    }
    await row("fires again", first, refire);
    await row("the first one, late", first);
    if (over !== undefined) await row("the first end, late", over);
    const ids = new Set<string>();
    const other = world();
    for (const [body, from, to] of three)
      ids.add((await send(other, template, body, from && to ? [[from, to]] : [])).id);
    rows.push(`  ${"several alerts at once".padEnd(24)}alerts: ${three.length}, incidents: ${ids.size}`);
  }
  await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot(
    new URL("words/alert-systems.txt", fixtures).pathname,
  );
});

it("every template and every body of the fixtures is in the table", () => {
  expect(Object.keys(systems).sort()).toEqual([...templates.keys()].sort());
  const told = Object.values(systems).flatMap(({ alone, fires, neither = [], over }) => [
    ...Object.keys({ ...fires, ...alone }),
    ...(over === undefined ? [] : [over]),
    ...neither,
  ]);
  expect(told.sort()).toEqual([...bodies.keys()].sort());
});

it("docs/alerts.md shows a template as it is shipped", () => {
  expect(documents.get("docs/alerts.md")).toContain(`\`\`\`yaml\n${templates.get("zabbix")}\`\`\`\n`);
});

it("the templates are valid", async () => {
  const { exitCode, stderr } = await world().run("validate incident-templates");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});

it("a word of the body that is published is noticed", () => {
  const body = JSON.stringify({ Message: JSON.stringify({ a: ["Payments fail on db-17.internal"] }) });
  const request = (name: string) => JSON.stringify({ name });
  expect(foreignWords("grafana", body, request("A problem with Checkout"))).toEqual([]);
  expect(foreignWords("grafana", body, request("Problem on db-17.internal"))).toEqual(["db-17.internal"]);
  expect(foreignWords("grafana", body, request("Payments are slow"))).toEqual(["payments"]);
});
