// `incident update` in real processes: a SIGKILL at its requests and between them, and a SIGINT while its outcome is not
// known, at services that keep and replace ids. No update is sent twice without a decision.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { command, node } from "../../built/program.ts";
import { definitionYaml } from "../../harness/builders.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { type LifeOperation, type LifeService, lifeServices } from "../../service/life/life-services.ts";

interface Moment {
  readonly name: string;
  /** The request at whose arrival the process ends, and how many of its kind come before. */
  readonly at?: { readonly operation: LifeOperation; readonly skip: number };
  /** Else the milliseconds after its start. */
  readonly delay?: number;
  readonly lose?: "answer" | "request";
}

const moments: readonly Moment[] = [
  { name: "while it reads the incident", at: { operation: "get", skip: 0 } },
  { name: "while the service takes the update", at: { operation: "update", skip: 0 } },
  { name: "while the update is lost", at: { operation: "update", skip: 0 }, lose: "request" },
  { name: "while it reads the incident again", at: { operation: "get", skip: 1 } },
  { name: "while it reads back after a lost answer", at: { operation: "get", skip: 1 }, lose: "answer" },
  ...[80, 160].map((delay) => ({ name: `after ${delay} ms`, delay })),
];

async function openWorld(service: LifeService) {
  const folder = temporaryFolder();
  const env = {
    ...process.env,
    ...service.env,
    INCIDENT_CLI_BASE_URL: await service.listen(),
    INCIDENT_CLI_STATE_DIR: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  const start = (...args: string[]) => {
    const child = spawn(node, [command, ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    const ended = once(child, "close").then(([exitCode]) => ({
      exitCode: exitCode as number | null,
      output,
    }));
    return { child, ended };
  };
  writeFileSync(join(folder, "x.yaml"), definitionYaml());
  const declared = await start("create", "-f", "x.yaml").ended;
  expect(declared.exitCode, declared.output).toBe(0);
  const id = service.incidents()[0]?.id ?? "";
  const update = (text: string) =>
    start("update", id, "--status", "monitoring", "--message", text, "--settle-for", "1s");
  /** How often the text was sent, and how often the service shows it. */
  const countOf = (text: string) => ({
    sent: service.requests.filter(
      ({ operation, request }) =>
        operation === "update" &&
        Buffer.from(request.body ?? "")
          .toString()
          .includes(text),
    ).length,
    shown: service.incidents()[0]?.incidentUpdates.filter(({ description }) => description === text).length,
  });
  return { id, update, countOf };
}

/** Ends the process at the moment, and gives its end. */
async function endAt(
  service: LifeService,
  { child, ended }: ReturnType<Awaited<ReturnType<typeof openWorld>>["update"]>,
  { at, delay, lose }: Moment,
  signal: "SIGINT" | "SIGKILL",
) {
  if (lose === "answer") service.loseAnswer("update");
  if (lose === "request") service.loseRequest("update");
  let skip = at?.skip ?? 0;
  service.before(async (operation) => {
    if (operation !== at?.operation || skip-- > 0) return;
    child.kill(signal);
    if (signal === "SIGKILL") await ended;
  });
  const timer = delay === undefined ? undefined : setTimeout(() => child.kill(signal), delay);
  const end = await ended;
  clearTimeout(timer);
  service.before(() => undefined);
  return end;
}

const habits = ["kept", "replaced"] as const;

async function killAtEachMoment([name, open]: (typeof lifeServices)[number], at: number): Promise<void> {
  const ids = habits[at];
  const service = await open({ ...(ids && { ids }) });
  const { countOf, update } = await openWorld(service);
  for (const moment of moments) {
    const place = `${name}, ${moment.name}`;
    const text = `Watching: ${moment.name}.`;
    const killed = await endAt(service, update(text), moment, "SIGKILL");
    if (moment.at !== undefined) expect(killed.exitCode, place).toBeNull();
    const { exitCode, output } = await update(text).ended;
    const { sent, shown } = countOf(text);
    expect([0, 8], `${place}: ${output}`).toContain(exitCode);
    expect(sent, place).toBeLessThanOrEqual(1);
    if (exitCode === 0) expect({ sent, shown }, place).toEqual({ sent: 1, shown: 1 });
    else expect(output, place).toContain("incident journal settle");
  }
}

// At the same time, because the outcome of a lost update is waited for until its deadline.
it("an update is sent once after a SIGKILL at any moment, at services that keep ids and that replace them", async () => {
  await Promise.all(lifeServices.slice(0, habits.length).map(killAtEachMoment));
});

const [, openSandboxed] = lifeServices[0] as (typeof lifeServices)[number];

it.each([
  ["is taken", undefined, [0, 8], 1],
  ["loses its answer", "answer", [0, 8], 1],
  ["is lost", "request", [8], 0],
] as const)("one SIGINT while an update %s ends with what became of it", async (name, lose, codes, count) => {
  const service = await openSandboxed({ ids: "replaced" });
  const { countOf, id, update } = await openWorld(service);
  const moment: Moment = { name, at: { operation: "update", skip: 0 }, ...(lose && { lose }) };
  const { exitCode, output } = await endAt(service, update("Watching."), moment, "SIGINT");
  expect(codes, output).toContain(exitCode);
  expect(output).toContain(id);
  expect(countOf("Watching.")).toEqual({ sent: 1, shown: count });
});
