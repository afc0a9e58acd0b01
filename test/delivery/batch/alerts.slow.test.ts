// Alerts from several processes with one journal: one that fires in each of them at once, and a storm of webhooks while
// processes are killed. The processes run the code of the command, over real sockets and files.
// Each is on one kind of service; CASES=all runs it on every kind and in eight processes, and fires 500 times,
// ALERT_WEBHOOKS=2000 runs a storm of that size, ALERT_SEED one storm.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createSandbox } from "../../../src/sandbox/app.ts";
import { serveSandbox } from "../../../src/sandbox/server.ts";
import { node } from "../../built/program.ts";
import { serviceId } from "../../harness/builders.ts";
import { access, createClock, temporaryFolder } from "../../harness/incident.ts";
import { temporaryRoot } from "../../harness/temporary-root.ts";
import { randomFaults } from "../../sandbox/test-sandbox.ts";
import { createDice } from "../dice.ts";
import { type Kind, kinds } from "../drill/service.ts";

const tested = (kind: Kind): readonly Kind[] =>
  process.env.CASES === "all" ? (Object.keys(kinds) as Kind[]) : [kind];

const fixtures = join(import.meta.dirname, "../../../fixtures");

const processes = process.env.CASES === "all" ? 8 : 4;
const seed = Number(process.env.ALERT_SEED ?? Date.now() % 2_147_483_647);

interface Alert {
  readonly index: number;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service whose incidents can all be resolved. */
async function serve(kind: Kind, faults: readonly string[] = []) {
  let created = 0;
  const random = { guid: () => crypto.randomUUID() };
  const sandbox = createSandbox({
    ...access,
    ...kinds[kind],
    onlySpec: true,
    clock: { ...createClock(), now: Date.now },
    random,
    faults: randomFaults(faults, seed),
    rateLimit: { requests: 1_000_000, seconds: 1 },
    onRequest: ({ method, status }) => {
      if (method === "POST" && status === 201) created += 1;
    },
  });
  let resolved: readonly string[] = [];
  const transport: typeof sandbox.transport = async (request, control) => {
    const outcome = await sandbox.transport(request, control);
    if (outcome.phase !== "answered" || outcome.status >= 300) return outcome;
    const incident = JSON.parse(Buffer.from(outcome.body).toString());
    if (!resolved.includes(incident.id)) return outcome;
    return { ...outcome, body: Buffer.from(JSON.stringify({ ...incident, lastUpdateStatus: "RESOLVED" })) };
  };
  const server = await serveSandbox({ ...sandbox, transport });
  onTestFinished(() => server.close());
  return {
    url: server.url,
    created: () => created,
    names: () => sandbox.incidents().map(({ name }) => String(name)),
    resolve: () => {
      resolved = sandbox.incidents().map(({ id }) => id);
    },
  };
}

/** The code of an alert process as one file. */
let file: string;
beforeAll(async () => {
  const folder = mkdtempSync(join(temporaryRoot, "incident-alerts-"));
  file = join(folder, "alert-process.mjs");
  const input = join(import.meta.dirname, "alert-process.ts");
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  return () => rmSync(folder, { recursive: true });
});

interface Place {
  readonly folder: string;
  readonly url: string;
}

interface Run {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

/** Runs them in one process. `killAfter`: the process is killed, milliseconds after that many have ended. */
async function runInProcess(
  { folder, url }: Place,
  runs: readonly Run[],
  killAfter?: { readonly ended: number; readonly delay: number },
): Promise<readonly Alert[]> {
  const list = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(list, JSON.stringify(runs));
  const env = {
    HOME: folder,
    INCIDENT_CLI_BASE_URL: url,
    INCIDENT_CLI_API_KEY: access.apiKey,
    INCIDENT_CLI_ACCOUNT_ID: access.accountId,
  };
  const child = spawn(node, [file, list], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended: Alert[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    ended.push(JSON.parse(line));
    if (ended.length === killAfter?.ended) setTimeout(() => child.kill("SIGKILL"), killAfter.delay);
  });
  await once(child, "close");
  return ended;
}

it.each(tested("refuses ids"))(
  "is one incident while it is open, and another once it is resolved, where the service %s",
  async (kind) => {
    const service = await serve(kind);
    const place = { folder: temporaryFolder(), url: service.url };
    // A loaded machine is slow, and no time-out is tested here.
    const line =
      `create --timeout 100s --settle-for 100s --dedup-key checkout --severity major --service Checkout=${serviceId} -o json`.split(
        " ",
      );

    /** Fires alerts in all processes at once. Gives the incidents that they name, with how each was answered. */
    async function fire(each: number) {
      const runsOf = (from: number) =>
        Array.from({ length: each }, (_, index) => {
          const number = from + index;
          const text = [
            "--name",
            `Checkout fails, alert ${number}`,
            "--message",
            `${number} payments have failed.`,
          ];
          return { argv: [...line, ...text] };
        });
      const results = await Promise.all(
        Array.from({ length: processes }, (_, index) => runInProcess(place, runsOf(index * each))),
      );
      const alerts = results.flat();
      expect(alerts.length).toBe(processes * each);
      expect(alerts.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
      const answers = alerts.map(({ stdout }) => JSON.parse(stdout) as { id: string; how: string });
      const declared = answers.filter(({ how }) => how === "declared").length;
      return { declared, ids: [...new Set(answers.map(({ id }) => id))] };
    }

    const first = await fire(process.env.CASES === "all" ? 63 : 9);
    expect({ created: service.created(), declared: first.declared, ids: first.ids.length }).toEqual({
      created: 1,
      declared: 1,
      ids: 1,
    });
    service.resolve();
    const second = await fire(4);
    expect({ created: service.created(), declared: second.declared, ids: second.ids.length }).toEqual({
      created: 2,
      declared: 1,
      ids: 1,
    });
    expect(second.ids).not.toEqual(first.ids);
  },
);

interface Webhook extends Run {
  readonly group: string;
}

const webhooks = Number(process.env.ALERT_WEBHOOKS ?? 60);
const groups = Math.ceil(webhooks / 50);

/** A sender delivers a webhook so often: after exit code 7 nothing was sent, and after 8 a person has to look. */
const mostDeliveries = { 7: 20, 8: 3 };

const body = JSON.parse(readFileSync(join(fixtures, "alerts/alertmanager.json"), "utf8"));
const line = "create --template storm --vars - --no-input --timeout 10s --settle-for 2s -o json".split(" ");

/** Its headline names the group. */
const template = `when: { status: firing }
dedupKey: "\${groupKey}"
variables:
  commonAnnotations.summary: { maxLength: 100, otherwise: A group }
---
name: "\${commonAnnotations.summary} (eu-west-1)"
severity: MAJOR
services: [{ name: Checkout, id: ${serviceId} }]
incidentUpdates: [{ description: We are looking for the cause. }]
`;

const byGroup = (one: Webhook, other: Webhook) => one.group.localeCompare(other.group);

/** Half of the webhooks of a group are delivered twice, neighbours at the same time; a tenth of the groups never fire. */
function createStorm(dice: ReturnType<typeof createDice>): readonly Webhook[] {
  const storm: Webhook[] = [];
  while (storm.length < webhooks) {
    const number = dice.below(groups);
    const group = `group ${number}`;
    const status = isFiring(group) && dice.roll() < 0.7 ? "firing" : "resolved";
    const stdin = JSON.stringify({ ...body, status, groupKey: group, commonAnnotations: { summary: group } });
    const webhook = { group, argv: line, stdin };
    storm.push(...(dice.roll() < 0.5 ? [webhook, webhook] : [webhook]));
  }
  return storm;
}

const isFiring = (group: string) => !group.endsWith("3");
const isWebhookFiring = ({ stdin }: Webhook) => stdin?.includes('"firing","receiver"') ?? false;

it.each(tested("honours ids, keeps both"))(
  `is one incident of each group in a storm of ${webhooks} webhooks with kills, where the service %s (ALERT_SEED=${seed})`,
  async (kind) => {
    const dice = createDice(seed);
    const service = await serve(kind, [
      "create%5:drop-after-commit",
      "create%5:slow-commit=50ms",
      "get%2:503",
    ]);
    const place = { folder: temporaryFolder(), url: service.url };
    mkdirSync(join(place.folder, "incident-templates"));
    writeFileSync(join(place.folder, "incident-templates/storm.yaml"), template);
    const storm = createStorm(dice);
    let [kills, deliveries, uncertain] = [0, 0, 0];
    let answers = new Map<string, Alert[]>();

    /** One of the processes, which starts again after each kill, with what was not answered. */
    async function receive(share: readonly Webhook[], deaths: number): Promise<void> {
      let waiting = share.map((webhook) => ({ webhook, failed: 0 }));
      for (let death = 0; waiting.length > 0; death += 1) {
        const killAfter = { ended: 1 + dice.below(1 + share.length / (deaths + 1)), delay: dice.below(40) };
        const runs = waiting.map(({ webhook }) => webhook);
        const ended = await runInProcess(place, runs, death < deaths ? killAfter : undefined);
        deliveries += ended.length;
        if (ended.length < runs.length) kills += 1;
        const done = new Map(ended.map((alert) => [alert.index, alert]));
        waiting = waiting.flatMap(({ failed, webhook }, index) => {
          const alert = done.get(index);
          if (alert === undefined) return [{ webhook, failed }];
          const most = alert.exitCode === 7 || alert.exitCode === 8 ? mostDeliveries[alert.exitCode] : 1;
          if (alert.exitCode !== 0 && failed + 1 < most) return [{ webhook, failed: failed + 1 }];
          answers.set(webhook.group, [...(answers.get(webhook.group) ?? []), alert]);
          return [];
        });
      }
    }

    /** Delivers them to all processes, and checks that each group has at most one incident more than before. */
    async function deliver(webhooks: readonly Webhook[], deathsOf: (share: readonly Webhook[]) => number) {
      answers = new Map();
      const before = service.names();
      const shares = Array.from({ length: processes }, (_, own) =>
        webhooks.filter((_, at) => at % processes === own),
      );
      await Promise.all(shares.map((share) => receive(share, deathsOf(share))));
      const made = service.names().slice(before.length);
      const declared: string[] = [];
      for (const [group, all] of answers) {
        const incidents = made.filter((name) => name === `${group} (eu-west-1)`).length;
        const good = all.filter(({ exitCode }) => exitCode === 0).map(({ stdout }) => JSON.parse(stdout));
        const told = all.filter(({ exitCode }) => exitCode === 8).length;
        uncertain += told > 0 ? 1 : 0;
        const hows = new Set(good.map(({ how }) => how));
        const isKnown = hows.has("declared") || hows.has("open");
        const stderr = all.map((alert) => alert.stderr);
        const problem = JSON.stringify({ group, incidents, told, hows: [...hows], stderr });
        expect(good.length + told, problem).toBe(all.length);
        if (!isFiring(group))
          expect({ incidents, told, hows: [...hows] }, problem).toEqual({
            incidents: 0,
            told: 0,
            hows: ["not-applicable"],
          });
        // Either the incident is known and there, or the sender was told each time that its outcome is not known.
        else if (isKnown || incidents > 0) expect(incidents, problem).toBe(1);
        const ids = new Set(good.filter(({ how }) => how !== "not-applicable").map(({ id }) => id));
        expect(ids.size, problem).toBeLessThanOrEqual(1);
        const fired = webhooks.some((webhook) => webhook.group === group && isWebhookFiring(webhook));
        if (fired) expect(isKnown || told > 0, problem).toBe(true);
        if (isKnown && told === 0) declared.push(group);
      }
      expect(made.length).toBe(new Set(made).size);
      return { made: made.length, declared };
    }

    const first = await deliver(storm, (share) => Math.ceil(share.length / 25));
    expect(kills).toBeGreaterThan(0);
    // All incidents are resolved, and each group whose incident is known fires again, in two processes at once.
    service.resolve();
    const known = new Set(first.declared);
    const again = new Map(storm.filter(isWebhookFiring).map((webhook) => [webhook.group, webhook]));
    const firing = [...again.values()].filter(({ group }) => known.has(group));
    const second = await deliver([...firing, ...firing].sort(byGroup), () => 0);
    process.stdout.write(
      `${kind}: ${storm.length} webhooks of ${groups} groups, ${deliveries} deliveries, ${kills} kills, ${first.made} incidents; ${firing.length} groups fired again after RESOLVED, ${second.made} more; ${uncertain} groups told of an unknown outcome\n`,
    );
  },
  3_600_000,
);
