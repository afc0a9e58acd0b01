// `incident journal settle` without a decision looks for the incident once more, and sends nothing in any case.
import { describe, expect, it } from "vitest";
import { canDecide, type Decision } from "../../src/delivery/settle-by-person.ts";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { access, createWorld, type World } from "../harness/incident.ts";
import { logOf } from "./all-logs.ts";
import { answer, createService, incidentOf, lost, refusal } from "./services-by-hand.ts";

const { accountId, apiKey, baseUrl } = access;
const profile = { baseUrl, accountId, apiKey, clientIds: "unique" };
const files = {
  "x.yaml": definitionYaml({ id }),
  "home/.config/incident-cli/config.yaml": JSON.stringify({ profiles: { a: profile } }),
};
const flags = "--state-dir state --settle-for 1s";
const settle = `journal settle ${id} ${flags}`;

/** A world in which a create got no answer. */
async function afterLostAnswer(): Promise<World> {
  const world = createWorld({ files });
  const { transport } = createService(() => lost);
  const { exitCode } = await world.run(`create -f x.yaml ${flags} --max-retries 0`, { transport });
  expect(exitCode).toBe(8);
  return world;
}

describe("a look at a create whose outcome is not known", () => {
  it("sends nothing, also where the service refuses a second create with the same id", async () => {
    const world = await afterLostAnswer();
    const { requests, sent, transport } = createService(() => answer(201, incidentOf()));
    const looked = await world.run(`${settle} --profile a --max-retries 3`, { transport });
    expect({ exitCode: looked.exitCode, sends: sent.length }).toEqual({ exitCode: 8, sends: 0 });
    expect(requests.length).toBeGreaterThan(0);
  });

  it("sends nothing where a person permits another send meanwhile", async () => {
    const world = await afterLostAnswer();
    let isSettled = false;
    const { sent, transport } = createService(
      () => answer(201, incidentOf()),
      async () => {
        if (!isSettled) {
          isSettled = true;
          const settled = await world.run(`${settle} --not-created --yes`, { transport });
          expect(settled.exitCode).toBe(0);
        }
        return refusal(404);
      },
    );
    const looked = await world.run(settle, { transport });
    expect({ exitCode: looked.exitCode, sends: sent.length }).toEqual({ exitCode: 8, sends: 0 });
  });

  it("asks nobody whether to send again", async () => {
    const world = await afterLostAnswer();
    const { sent, transport } = createService(() => answer(201, incidentOf()));
    const terminal = { stdin: true, stdout: true, stderr: true };
    const looked = await world.run(settle, { transport, terminal, answers: ["skip", "y"] });
    expect({ exitCode: looked.exitCode, sends: sent.length }).toEqual({ exitCode: 8, sends: 0 });
    expect(looked.screen).not.toContain("Send it again?");
  });

  it("records the incident where it is found", async () => {
    const world = await afterLostAnswer();
    const { transport } = createService(
      () => lost,
      () => answer(200, incidentOf()),
    );
    expect((await world.run(settle, { transport })).exitCode).toBe(0);
    expect((await world.run("journal list --state-dir state")).stdout).toContain("created");
  });
});

describe("several creates whose outcome is not known", () => {
  const second = "5b0f6c1e-8d0f-4f0a-9d57-0f6a2c1b7e01";
  const both = {
    "x.yaml": files["x.yaml"],
    "y.yaml": definitionYaml({ id: second, name: "Search is slow" }),
  };
  const terminal = { stdin: true, stdout: true, stderr: true };

  async function afterTwoLostAnswers(clientIds: "honour" | "ignore") {
    const world = createWorld({ files: both, sandbox: { clientIds } });
    const { transport } = createService(() => lost);
    for (const file of ["x.yaml", "y.yaml"])
      expect(
        (await world.run(`create -f ${file} --new ${flags} --max-retries 0`, { transport })).exitCode,
      ).toBe(8);
    return world;
  }

  it("are settled in one command, and a person is asked for each", async () => {
    const world = await afterTwoLostAnswers("honour");
    const line = `journal settle --all-unsettled ${flags}`;
    const { exitCode, screen } = await world.run(line, {
      terminal,
      answers: ["yes", "no"],
      env: { NO_COLOR: "1" },
    });
    expect(exitCode).toBe(0);
    expect(screen.match(/Does the status page show/g)).toHaveLength(2);
    expect(screen).toMatch(/created .*Checkout/s);
    expect(screen).toMatch(/not-created .*Search is slow/s);
    const again = await world.run(line, { terminal });
    expect(again).toMatchObject({ exitCode: 0, stdout: "every create has a known outcome\n" });
  });

  it("stay unknown where nobody can be asked, with exit code 8, and one message for all", async () => {
    const world = await afterTwoLostAnswers("honour");
    const { exitCode, stderr } = await world.run(`journal settle ${id} ${second} ${flags}`);
    expect(exitCode).toBe(8);
    expect(stderr.match(/^error:/gm)).toHaveLength(1);
    expect(stderr).toContain("(and 1 more)");
  });

  it("are all recorded as not declared with one flag", async () => {
    const world = await afterTwoLostAnswers("honour");
    const line = `journal settle --all-unsettled --not-created --yes ${flags} -o json`;
    const { exitCode, stdout } = await world.run(line);
    const states = (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state);
    expect({ exitCode, states }).toEqual({ exitCode: 0, states: ["not-created", "not-created"] });
  });

  it("take --service-id for one alone", async () => {
    const world = await afterTwoLostAnswers("honour");
    const line = `journal settle --all-unsettled --created --service-id ${second} ${flags}`;
    expect((await world.run(line)).stderr).toContain("--service-id belongs to one create");
  });
});

describe("a decision about a create whose outcome is known", () => {
  const other = "5B0F6C1E-8D0F-4F0A-9D57-0F6A2C1B7E01";
  const created = (serviceId: string) => ({ type: "created", by: "person", serviceId }) as const;
  const declined = { type: "not-created" } as const;

  it.each<[string, Decision, boolean]>([
    ["sending with id, created", declined, true],
    ["sending with id, created", created(other), false],
    ["sending with id, refused", declined, false],
    ["sending with id, refused", created(id), false],
    ["sending with id, settled as created", created(id.toUpperCase()), false],
    ["sending with id, settled as created", created(other), true],
    ["sending with id, uncertain, not-created", declined, false],
    ["sending with id, uncertain, not-created", created(id), true],
  ])("%s, then %j: changes the log: %s", (names, decision, isChange) => {
    expect(canDecide(logOf(names), decision)).toBe(isChange);
  });
});
