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

const cause = "We are looking for the cause.";
const more = "More than 5 % of payments have failed for 10 minutes.";

/** For each template: what customers read for a body that fires, and what each other body of the system is. */
const systems: Readonly<
  Record<
    string,
    {
      readonly fires: Readonly<
        Record<string, readonly [name: string, severity: string, description: string]>
      >;
      /** "over" names the open incident; "other" is a body about something else. */
      readonly ignored: Readonly<Record<string, "over" | "other">>;
    }
  >
> = {
  alertmanager: {
    fires: {
      alertmanager: ["Payments fail (eu-west-1)", "CRITICAL", `Payments fail. ${cause}\n\n${more}\n`],
      "alertmanager-page": ["Payments fail (eu-west-1)", "CRITICAL", `Payments fail. ${cause}\n\n${more}\n`],
      "alertmanager-mixed": ["CheckoutErrors (all regions)", "MAJOR", `CheckoutErrors. ${cause}\n\n\n`],
      "alertmanager-bare": ["An alert (all regions)", "CRITICAL", `An alert. ${cause}\n\n\n`],
    },
    ignored: { "alertmanager-resolved": "over" },
  },
  grafana: {
    fires: {
      grafana: [
        "Search is slow: Results take longer than 4 seconds",
        "MEDIUM",
        "Results take longer than 4 seconds. Measured: 4.20.",
      ],
    },
    ignored: { "grafana-resolved": "over" },
  },
  "grafana-legacy": {
    fires: {
      "grafana-legacy": [
        "Search is slow",
        "MEDIUM",
        "We are looking into it. Results take longer than 4 seconds",
      ],
    },
    ignored: { "grafana-legacy-ok": "over" },
  },
  pagerduty: {
    fires: {
      pagerduty: ["Payments fail", "CRITICAL", cause],
      "pagerduty-reopened": ["Payments fail", "MAJOR", cause],
    },
    ignored: {
      "pagerduty-acknowledged": "over",
      "pagerduty-resolved": "over",
      "pagerduty-ping": "other",
    },
  },
  datadog: {
    fires: { datadog: ["Payments may fail", "MAJOR", cause] },
    ignored: { "datadog-again": "other", "datadog-recovered": "other" },
  },
  opsgenie: {
    fires: { opsgenie: ["Payments fail", "MAJOR", cause] },
    ignored: { "opsgenie-acknowledge": "over", "opsgenie-close": "over" },
  },
  cloudwatch: {
    fires: { cloudwatch: ["Payments fail", "MAJOR", cause] },
    ignored: { "cloudwatch-ok": "over", "cloudwatch-subscribe": "other" },
  },
  sentry: {
    fires: {
      sentry: ["Checkout errors", "CRITICAL", cause],
      "sentry-warning": ["Checkout errors", "MAJOR", cause],
    },
    ignored: { "sentry-resolved": "over" },
  },
  "sentry-issue": { fires: { "sentry-issue": ["Checkout errors", "MEDIUM", cause] }, ignored: {} },
  uptimerobot: {
    fires: { uptimerobot: ["Checkout is not reachable", "CRITICAL", cause] },
    ignored: { "uptimerobot-up": "over" },
  },
  github: {
    fires: {
      github: [
        "A change could not be published",
        "MINOR",
        "The deploy failed. The earlier version stays in use.",
      ],
    },
    ignored: { "github-success": "over", "github-requested": "over" },
  },
};

async function send(world: World, template: string, body: string) {
  const line = `create --template ${template} --vars - --no-input -o id`;
  const { exitCode, requests, stderr, stdout } = await world.run(line, { stdin: bodies.get(body) as string });
  const sent = requests.filter(({ method }) => method === "POST");
  return { exitCode, id: stdout.trim(), sent, stderr };
}

/** Grafana sends the body of Alertmanager, with more fields. */
const isTwin = (name: string) => /^alertmanager|^grafana(?!-legacy)/.test(name);

const world = () => createWorld({ files, inMemory: true });

describe.each(Object.entries(systems))("the template %s", (template, { fires, ignored }) => {
  const first = Object.keys(fires)[0] as string;

  it.each(Object.entries(fires))("declares %s once", async (body, [name, severity, description]) => {
    const own = world();
    const { exitCode, id, sent, stderr } = await send(own, template, body);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
    expect(stderr).toMatch(new RegExp(`^not notifying subscribers \\(\\w+\\)\\ndeclared ${id}  `));
    expect(sentBody(sent)).toMatchObject({ id, name, severity, incidentUpdates: [{ description }] });
    expect(await send(own, template, body)).toEqual({
      ...{ exitCode: 0, id, sent: [] },
      stderr: `already open ${id}  ${name}\n`,
    });
  });

  it.each(Object.entries(ignored))("does nothing for %s, which is %s", async (body, kind) => {
    const own = world();
    const before = await send(own, template, body);
    expect(before).toMatchObject({ exitCode: 0, id: "", sent: [] });
    expect(before.stderr).toMatch(/^nothing to declare: \S+ is ".*", not ".*\n$/);
    const { id } = await send(own, template, first);
    const after = await send(own, template, body);
    expect(after).toMatchObject({ exitCode: 0, id: "", sent: [] });
    expect(after.stderr.includes(`the incident of this alert is open: ${id}  `)).toBe(kind === "over");
  });

  it("declares nothing for the bodies of other systems", async () => {
    const own = world();
    const foreign = [...bodies.keys()].filter(
      (body) => !(body in fires) && !(body in ignored) && !(isTwin(template) && isTwin(body)),
    );
    for (const body of foreign) {
      const { id, sent, stderr } = await send(own, template, body);
      expect({ body, id, sent, stderr }).toEqual({ body, id: "", sent: [], stderr: expect.any(String) });
      expect(stderr).toMatch(/nothing to declare: |nothing was sent/);
    }
  });
});

it("every template and every body of the fixtures is in the table", () => {
  expect(Object.keys(systems).sort()).toEqual([...templates.keys()].sort());
  const told = Object.values(systems).flatMap(({ fires, ignored }) => Object.keys({ ...fires, ...ignored }));
  expect(told.sort()).toEqual([...bodies.keys()].sort());
});

it("the template of docs/alerts.md for another system works", async () => {
  const [, text = ""] =
    /^```yaml\n(# incident-templates\/zabbix\.yaml\n.*?)^```$/ms.exec(
      documents.get("docs/alerts.md") ?? "",
    ) ?? [];
  const own = createWorld({ files: { "incident-templates/zabbix.yaml": text }, inMemory: true });
  const how = async (event_value: string) => {
    const event = { event_id: "4711", event_name: "Payments fail", event_severity: "High" };
    const stdin = JSON.stringify({ ...event, event_value });
    const { stdout } = await own.run("create --template zabbix --vars - -o json", { stdin });
    return JSON.parse(stdout);
  };
  expect(await how("1")).toMatchObject({ how: "declared", name: "Payments fail", severity: "MAJOR" });
  expect(await how("1")).toMatchObject({ how: "open" });
  expect(await how("0")).toMatchObject({ how: "not-applicable" });
  expect((await own.run("validate")).exitCode).toBe(0);
});

it("the templates are valid", async () => {
  const { exitCode, stderr } = await world().run("validate incident-templates");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
