// A job in a pipeline that has nothing but variables, on a new machine for each step, against a service that lists, edits
// and updates: it is green only where what it says is published.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { type LifeOperation, type LifeService, lifeServices } from "../service/life/life-services.ts";

const files = { "incidents/checkout.yaml": definitionYaml({ id }) };
const accountHeader = "x-account-ref";
const [, open] = lifeServices.find(
  ([name]) => name === "a service with envelopes",
) as (typeof lifeServices)[number];

async function startJob() {
  const service = await open({ accountHeader });
  let machines = 0;
  const run = async (line: string, env: Record<string, string | undefined> = {}) => {
    machines += 1;
    const variables = {
      ...service.env,
      CI: "true",
      // Said of a disk that it does not keep: without a shared journal, it is green only where it published as well.
      INCIDENT_CLI_JOURNAL: "folder",
      INCIDENT_CLI_ACCOUNT_HEADER: accountHeader,
    };
    const world = createWorld({ transport: service.transport, files, env: { ...variables, ...env } });
    return world.run(`INCIDENT_CLI_STATE_DIR=machine-${machines} ${line}`);
  };
  return { service, run };
}

const statusOf = ({ incidents }: LifeService) => incidents()[0]?.incidentUpdates.at(-1)?.status;

/** Each step, the operation that publishes it, and the status that customers then see. */
const steps: readonly (readonly [line: string, operation: LifeOperation, status: string])[] = [
  ["apply -R -f incidents", "create", "INVESTIGATING"],
  [`update ${id} --status identified --message Found.`, "update", "IDENTIFIED"],
  [`resolve ${id} --message Over.`, "update", "RESOLVED"],
];

describe("a job with variables alone", () => {
  it("checks, gates, declares, updates and resolves", async () => {
    const { run, service } = await startJob();
    expect(await run("validate -R incidents --for apply")).toMatchObject({ exitCode: 0, requests: [] });
    expect((await run("gate")).exitCode).toBe(0);
    for (const [line, , status] of steps) {
      const { exitCode, stderr } = await run(line);
      expect({ line, exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(statusOf(service)).toBe(status);
      expect((await run("gate")).exitCode).toBe(status === "RESOLVED" ? 0 : 12);
    }
    expect(service.incidents()).toHaveLength(1);
    expect(service.incidents()[0]?.incidentUpdates).toHaveLength(3);
  });

  /** Each fault, which it arranges at the service, or by the variables that it gives. */
  const faults: Readonly<Record<string, (service: LifeService, of: LifeOperation) => unknown>> = {
    "an answer is lost": (service, of) => service.loseAnswer(of),
    "each answer is lost": (service, of) => service.loseAnswer(of, 9),
    "a request is lost": (service, of) => service.loseRequest(of),
    "each request is lost": (service, of) => service.loseRequest(of, 9),
    "the key is wrong": () => ({ INCIDENT_CLI_API_KEY: "another-key-0123456789" }),
    "the header of the account is another": () => ({ INCIDENT_CLI_ACCOUNT_HEADER: "x-other" }),
    "the base URL is wrong": () => ({ INCIDENT_CLI_BASE_URL: "http://127.0.0.1:1/status" }),
  };
  const cases = Object.entries(faults).flatMap(([fault, cause]) =>
    steps.map(([line], index) => ({ fault, cause, line, index })),
  );

  it.each(cases)("is green only where it published, where $fault: $line", async ({ cause, index }) => {
    const { run, service } = await startJob();
    for (const [line] of steps.slice(0, index)) expect((await run(line)).exitCode).toBe(0);
    const [line, operation, status] = steps[index] as (typeof steps)[number];
    const env = cause(service, operation) as Record<string, string> | undefined;
    const { exitCode } = await run(`${line} --settle-for 1s`, env);
    if (exitCode === 0) expect(statusOf(service)).toBe(status);
    const updates = service.incidents().map(({ incidentUpdates }) => incidentUpdates.length);
    expect(updates.length).toBeLessThanOrEqual(1);
    expect(updates[0] ?? 0).toBeLessThanOrEqual(index + 1);
    const gated = await run("gate", env);
    if (gated.exitCode === 0) expect([undefined, "RESOLVED"]).toContain(statusOf(service));
  });
});
