// The bodies that alert systems send, in fixtures/alerts, with the templates in fixtures/incident-templates.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
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

const problem = "A problem with Checkout";
const cause = "We are looking for the cause.";

interface System {
  /** What customers read for each body that fires. */
  readonly text: readonly [name: string, description: string];
  /** Each body that fires, with its severity. The sub-alerts of the first one are among them: all have one key. */
  readonly fires: Readonly<Record<string, string>>;
  /** Under a key of its own. */
  readonly alone?: Readonly<Record<string, string>>;
  /** Ends the alert; undefined for a template that ends none. */
  readonly over?: string;
  /** Neither declares nor ends an incident, as where a person has acknowledged the alert. */
  readonly neither?: readonly string[];
  /** Refused: it has none of the names in when. */
  readonly refused?: readonly string[];
}

const systems: Readonly<Record<string, System>> = {
  alertmanager: {
    text: [problem, cause],
    fires: {
      alertmanager: "CRITICAL",
      "alertmanager-page": "CRITICAL",
      "alertmanager-mixed": "MAJOR",
      "alertmanager-three": "CRITICAL",
    },
    alone: { "alertmanager-bare": "CRITICAL" },
    over: "alertmanager-resolved",
  },
  grafana: {
    text: [problem, cause],
    fires: { grafana: "MEDIUM", "grafana-three": "MEDIUM" },
    over: "grafana-resolved",
  },
  "grafana-legacy": {
    text: [problem, cause],
    fires: { "grafana-legacy": "MEDIUM" },
    over: "grafana-legacy-ok",
  },
  pagerduty: {
    text: [problem, cause],
    fires: { pagerduty: "CRITICAL", "pagerduty-reopened": "MAJOR" },
    over: "pagerduty-resolved",
    neither: ["pagerduty-acknowledged", "pagerduty-ping"],
  },
  datadog: {
    text: [problem, cause],
    fires: {
      datadog: "MAJOR",
      "datadog-again": "MAJOR",
      "datadog-priority": "MAJOR",
      "datadog-host-a": "MAJOR",
      "datadog-host-b": "MAJOR",
      "datadog-host-c": "MAJOR",
    },
    neither: ["datadog-recovered"],
  },
  opsgenie: {
    text: [problem, cause],
    fires: { opsgenie: "MAJOR" },
    over: "opsgenie-close",
    neither: ["opsgenie-acknowledge"],
  },
  cloudwatch: {
    text: [problem, cause],
    fires: { cloudwatch: "MAJOR" },
    over: "cloudwatch-ok",
    neither: ["cloudwatch-no-data", "cloudwatch-subscribe"],
    refused: ["cloudwatch-raw"],
  },
  sentry: {
    text: [problem, cause],
    fires: { sentry: "CRITICAL", "sentry-warning": "MAJOR" },
    over: "sentry-resolved",
  },
  "sentry-issue": { text: [problem, cause], fires: { "sentry-issue": "MAJOR" } },
  uptimerobot: {
    text: ["Checkout is not reachable", cause],
    fires: { uptimerobot: "CRITICAL" },
    over: "uptimerobot-up",
  },
  zabbix: {
    text: [problem, cause],
    fires: { zabbix: "MAJOR" },
    over: "zabbix-over",
    neither: ["zabbix-acknowledged"],
  },
  betterstack: {
    text: ["Checkout is not reachable", cause],
    fires: { betterstack: "CRITICAL" },
    over: "betterstack-resolved",
    neither: ["betterstack-acknowledged"],
  },
  github: {
    text: [
      "A change of Checkout could not be published",
      "The deploy failed. The earlier version stays in use.",
    ],
    fires: { github: "MINOR" },
    over: "github-success",
    neither: ["github-branch", "github-requested"],
  },
};

async function send(world: World, template: string, body: string) {
  const line = `create --template ${template} --vars - --no-input -o json`;
  const { exitCode, requests, stderr, stdout } = await world.run(line, { stdin: bodies.get(body) as string });
  const { how, id } = stdout.trim() === "" ? {} : JSON.parse(stdout);
  const sent = requests.filter(({ method }) => method === "POST");
  return { exitCode, how, id, sent, stderr };
}

/** Grafana sends the body of Alertmanager, with more fields. */
const isTwin = (name: string) => /^alertmanager|^grafana(?!-legacy)/.test(name);

const world = () => createWorld({ files, inMemory: true, sandbox: { onlySpec: false } });

describe.each(Object.entries(systems))("the template %s", (template, system) => {
  const { alone = {}, fires, neither = [], over, refused = [], text } = system;
  const first = Object.keys(fires)[0] as string;

  it.each(Object.entries({ ...fires, ...alone }))(
    "declares %s once, in our words",
    async (body, severity) => {
      const own = world();
      const { exitCode, how, id, sent, stderr } = await send(own, template, body);
      expect({ exitCode, how, stderr }).toEqual({ exitCode: 0, how: "declared", stderr: "" });
      const [name, description] = text;
      expect(sentBody(sent)).toMatchObject({ id, name, severity, incidentUpdates: [{ description }] });
      expect(await send(own, template, body)).toMatchObject({ how: "open", id, sent: [] });
    },
  );

  it("declares one incident for all sub-alerts", async () => {
    const own = world();
    const ids = new Set<string>();
    for (const body of Object.keys(fires)) ids.add((await send(own, template, body)).id);
    expect(ids.size).toBe(1);
  });

  it.runIf(over !== undefined)("ends the incident once, and declares the next alert", async () => {
    const own = world();
    expect(await send(own, template, over as string)).toMatchObject({ how: "not-applicable", sent: [] });
    const { id } = await send(own, template, first);
    const ended = await send(own, template, over as string);
    expect(ended).toMatchObject({ exitCode: 0, how: "posted", id });
    expect(sentBody(ended.sent)).toMatchObject({ status: "RESOLVED", description: "The problem is over." });
    expect(await send(own, template, over as string)).toMatchObject({ how: "not-applicable", sent: [] });
    const next = await send(own, template, first);
    expect(next).toMatchObject({ exitCode: 0, how: "declared" });
    expect(next.id).not.toBe(id);
  });

  it.each(neither)("neither declares nor ends anything for %s", async (body) => {
    const own = world();
    expect(await send(own, template, body)).toMatchObject({ exitCode: 0, how: "not-applicable", sent: [] });
    await send(own, template, first);
    expect(await send(own, template, body)).toMatchObject({ exitCode: 0, how: "not-applicable", sent: [] });
  });

  it.each(refused)("refuses %s", async (body) => {
    expect(await send(world(), template, body)).toMatchObject({ exitCode: 3, how: undefined, sent: [] });
  });

  it("declares nothing for the bodies of other systems", async () => {
    const own = world();
    const known = [...Object.keys({ ...fires, ...alone }), ...neither, ...refused, over];
    const foreign = [...bodies.keys()].filter(
      (body) => !known.includes(body) && !(isTwin(template) && isTwin(body)),
    );
    for (const body of foreign) {
      const { exitCode, how, sent } = await send(own, template, body);
      expect({ body, exitCode, how, sent }).toEqual({
        ...{ body, sent: [] },
        ...(exitCode === 0
          ? { exitCode, how: "not-applicable" }
          : { exitCode: expect.any(Number), how: undefined }),
      });
    }
  });

  it("has a key that begins with the name of the system", () => {
    expect(templates.get(template)).toContain(`dedupKey: "${template} $`);
  });
});

it("every template and every body of the fixtures is in the table", () => {
  expect(Object.keys(systems).sort()).toEqual([...templates.keys()].sort());
  const told = Object.values(systems).flatMap(({ alone, fires, neither = [], over, refused = [] }) => [
    ...Object.keys({ ...fires, ...alone }),
    ...(over === undefined ? [] : [over]),
    ...neither,
    ...refused,
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
