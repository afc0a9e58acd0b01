import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { incidentId, serviceYaml, terminal } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const files = {
  ".incident.yaml": `services:
  checkout: ${serviceYaml}
  payments: { name: Payments, id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  search: { name: "Search\\e[31m", id: 5f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
`,
};

const text = "We are looking into failed payments.";
/** The answers: headline, severity, services, status, text, notify. */
const quiet = ["Checkout fails", "MAJOR", "Checkout, Payments", "IDENTIFIED", text, "No"];
const loud = [...quiet.slice(0, -1), "Yes"];
const declare = "y";
const ask = (answers: readonly string[], line = "create") => incident(line, { files, terminal, answers });

const draftFile = (folder: string) => join(folder, "home/.local/state/incident-cli/draft.yaml");

function bodyOf({ body }: { readonly body?: string | undefined }) {
  return JSON.parse(body ?? "");
}

describe("incident create with a person at the terminal", () => {
  it("asks for each field, and creates the incident from the answers", async () => {
    const { exitCode, requests, stderr } = await ask([...quiet, declare]);
    expect(exitCode).toBe(0);
    expect(requests.map(bodyOf)).toMatchObject([
      {
        name: "Checkout fails",
        severity: "MAJOR",
        services: [{ name: "Checkout" }, { name: "Payments" }],
        incidentUpdates: [{ description: text, status: "IDENTIFIED", notifySubscribers: false }],
      },
    ]);
    expect(stderr).toContain("What customers will see:");
    expect(stderr).toContain("notifies no subscribers");
  });

  it("offers the services of the sandbox in a rehearsal", async () => {
    const env = { INCIDENT_CLI_SANDBOX: "http://127.0.0.1:1" };
    const answers = ["Checkout fails", "MAJOR", "Search", "INVESTIGATING", text, "No", declare];
    const sandbox = { onlySpec: false };
    const { exitCode, requests, screen } = await incident("create", { terminal, env, answers, sandbox });
    expect({ exitCode, screen }).toMatchObject({ exitCode: 0 });
    expect(screen).toContain("? Which services are affected?\n  - Checkout\n  - Search\n  - Sign-in\n");
    expect(bodyOf(requests.at(-1) ?? {})).toMatchObject({ services: [{ name: "Search" }] });
  });

  it.each([
    ["services", "--service payments", "Which services", { services: [{ name: "Payments" }] }],
    ["an answer", "--no-notify", "Notify the", { incidentUpdates: [{ notifySubscribers: false }] }],
  ])("asks only for the missing fields where %s was given", async (_, flags, question, sent) => {
    const asked = [
      "What is wrong?",
      "How bad is it?",
      "Which services",
      "What is the status?",
      "What should customers read?",
      "Notify the",
    ];
    const answers = quiet.filter((_answer, index) => asked[index] !== question);
    const { screen, requests } = await ask([...answers, declare], `create ${flags}`);
    expect(screen).not.toContain(`? ${question}`);
    expect(bodyOf(requests[0] ?? {})).toMatchObject(sent);
  });

  it("names the services whose subscribers are notified, and confirms only once", async () => {
    const { exitCode, requests, screen } = await ask([...loud, declare]);
    expect(exitCode).toBe(0);
    expect(screen.replace(/\s+/g, " ")).toContain(
      'Declare "Checkout fails" at 127.0.0.1:1, account 11111111-2222-4333-8444-555555555555, and notify the subscribers of Checkout and Payments? [y/N]',
    );
    expect(bodyOf(requests[0] ?? {}).incidentUpdates[0].notifySubscribers).toBe(true);
  });

  it("asks again after an empty headline", async () => {
    const { exitCode, screen } = await ask([" ", ...quiet, declare]);
    expect(exitCode).toBe(0);
    expect(screen).toContain("! write something: customers will read it");
  });

  it.each(quiet.map((_, index) => [index]))(
    "keeps %i answers when the next question is interrupted",
    async (count) => {
      const world = createWorld({ files, terminal });
      const stopped = await world.run("create", { answers: quiet.slice(0, count) });
      expect(stopped).toMatchObject({ exitCode: 130, requests: [] });
      expect(stopped.stderr.includes("your answers are kept")).toBe(count > 0);
      expect(existsSync(draftFile(world.folder))).toBe(count > 0);
    },
  );

  it("keeps them after each answer, as no program ends in order where its terminal is closed", async () => {
    const world = createWorld({ files, terminal });
    let kept = 0;
    const { exitCode } = await world.run("create", {
      answers: [...quiet, declare],
      wrapFiles: (disk) => ({
        ...disk,
        renameSync: (from, to) => {
          if (String(to).endsWith("draft.yaml")) kept += 1;
          disk.renameSync(from, to);
        },
      }),
    });
    expect({ exitCode, kept }).toEqual({ exitCode: 0, kept: quiet.length });
    expect(existsSync(draftFile(world.folder))).toBe(false);
  });

  it("saves the draft with a mode for this user only", async () => {
    const world = createWorld({ files, terminal, answers: ["Checkout fails"] });
    await world.run("create");
    expect(statSync(draftFile(world.folder)).mode & 0o777).toBe(0o600);
  });

  it("does not wait for a FIFO in place of the draft", async () => {
    const world = createWorld({ files, terminal, answers: quiet });
    mkdirSync(dirname(draftFile(world.folder)), { recursive: true, mode: 0o700 });
    execFileSync("mkfifo", [draftFile(world.folder)]);
    expect((await world.run("create --yes")).exitCode).toBe(0);
  });

  it("sends nothing twice when the kept answers are sent after an unanswered create", async () => {
    const world = createWorld({ files, terminal, faults: ["create#1:drop-after-commit", "get#1-9:503"] });
    const lost = await world.run("create --settle-for 1s", { answers: [...quiet, declare] });
    expect(lost.exitCode).toBe(8);
    const found = await world.run(`create -f ${draftFile(world.folder)}`, { terminal: {} });
    expect(found).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("already declared") });
    expect(found.posts).toBe(0);
  });

  it("says so where the state directory is not writable, in one warning", async () => {
    const answers = [...quiet, "n"];
    const { exitCode, stderr } = await incident(
      "INCIDENT_CLI_STATE_DIR=.incident.yaml/x create --no-journal",
      { files, terminal, answers },
    );
    expect(exitCode).toBe(130);
    expect(stderr.match(/the answers are not kept/g)).toHaveLength(1);
  });

  it("keeps the answers in a file that create -f takes", async () => {
    const world = createWorld({ files, terminal });
    const { exitCode, stderr } = await world.run("create", { answers: [...quiet, "n"] });
    expect(exitCode).toBe(130);
    expect(stderr.replace(/\s+/g, " ")).toContain(`incident create -f ${draftFile(world.folder)}`);
    const declared = await world.run(`create -f ${draftFile(world.folder)} -o id`, { terminal: {} });
    expect(declared.exitCode).toBe(0);
    // The answers are the same incident as the file.
    const again = await world.run("create -o id", { answers: [...quiet, declare] });
    expect(again).toMatchObject({ exitCode: 0, stdout: declared.stdout });
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it("explains each severity, and takes the least for Enter alone", async () => {
    const answers = ["Checkout fails", "", ...quiet.slice(2), declare];
    const { requests, screen } = await incident("create", { files, terminal, answers });
    expect(screen).toContain("  - CRITICAL: most customers cannot use the service\n");
    expect(requests.map(bodyOf)).toMatchObject([{ severity: "MINOR" }]);
  });

  it("asks nothing where no service is known, and says how to give one", async () => {
    const { exitCode, requests, screen } = await incident("create", { terminal, answers: quiet });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(screen).not.toContain("?");
    expect(screen).toContain("give it as --service NAME=GUID");
  });

  it("checks the settings before the first question", async () => {
    const env = { INCIDENT_CLI_API_KEY: "" };
    const { exitCode, screen } = await incident("create", { files, terminal, env, answers: quiet });
    expect(exitCode).toBe(2);
    expect(screen).not.toContain("?");
  });

  it.each([
    ["stdout is not a terminal", { terminal: { ...terminal, stdout: false } }],
    ["CI is set", { terminal, env: { CI: "true" } }],
    ["the terminal is dumb", { terminal, env: { TERM: "dumb" } }],
  ])("asks no question where %s, and names the flags", async (_, setup) => {
    const { exitCode, stderr, screen } = await incident("create --name Search", { files, ...setup });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--severity, --service and --message must be given");
    expect(screen).not.toContain("?");
  });
});

describe("a notification", () => {
  const definition = (notify: boolean, name = "A") => `name: ${name}
severity: MAJOR
services:
  - ${serviceYaml}
  - { name: "Search, EU", id: 5f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
incidentUpdates:
  - description: We are looking into it.
    notifySubscribers: ${notify}
`;
  const both = `${definition(true)}---\n${definition(false, "B")}`;

  it.each([
    ["nobody", definition(false), "notifies no subscribers\n"],
    ["the subscribers of all", definition(true), "notifies the subscribers of Checkout and Search, EU\n"],
    ["those of one of two incidents", both, "notifies the subscribers of Checkout and Search, EU\n"],
  ])("is announced before the create: %s", async (_, text, line) => {
    const { stderr, exitCode } = await incident("create -f a.yaml", { files: { "a.yaml": text } });
    expect(exitCode).toBe(0);
    expect(stderr.startsWith(line)).toBe(true);
  });

  it("is not announced in a rerun that sends nothing", async () => {
    const text = `id: ${incidentId}\n${definition(true)}`;
    const world = createWorld({ files: { "a.yaml": text } });
    await world.run("create -f a.yaml");
    const { stderr } = await world.run("create -f a.yaml");
    expect(stderr).toContain("already declared");
    expect(stderr).not.toContain("notifies");
  });

  it.each([
    ["n", 130, 0],
    ["", 130, 0],
    ["y", 0, 1],
  ])("needs a confirmation on a terminal: %j ends with %i", async (answer, code, count) => {
    const setup = { files: { "a.yaml": definition(true) }, terminal, answers: [answer] };
    const { exitCode, requests, screen } = await incident("create -f a.yaml", setup);
    expect({ exitCode, count: requests.length }).toEqual({ exitCode: code, count });
    expect(screen).toMatch(
      /^\? Declare "[^"]+" at 127\.0\.0\.1:1, account 1{8}-[0-9-]+,\sand\snotify\sthe subscribers of Checkout and Search, EU\?\s\[y\/N\] /,
    );
    const notified = requests.map(({ body }) => JSON.parse(body ?? "").incidentUpdates[0].notifySubscribers);
    expect(notified).toEqual(count === 0 ? [] : [true]);
    if (count === 0) expect(screen).toContain("--no-notify sends it without telling subscribers");
  });

  it.each([
    ["--yes", definition(true)],
    ["--no-notify", definition(true)],
    ["", definition(false)],
  ])("needs no confirmation with %j", async (flags, text) => {
    const { exitCode, screen } = await incident(`create -f a.yaml ${flags}`, {
      files: { "a.yaml": text },
      terminal,
    });
    expect(exitCode).toBe(0);
    expect(screen).not.toContain("?");
  });

  it("adds nothing to the output under -o json", async () => {
    const { stderr } = await incident("create -f a.yaml -o json", { files: { "a.yaml": definition(true) } });
    expect(stderr).toBe("");
  });
});
