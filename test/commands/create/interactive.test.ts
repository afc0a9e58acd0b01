import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { access, incidentId, serviceId, serviceYaml } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const terminal = { stdin: true, stdout: true, stderr: true };

const files = {
  ".incident.yaml": `services:
  checkout: ${serviceYaml}
  payments: { name: Payments, id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
  search: { name: "Search\\e[31m", id: 5f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
`,
};

const text = "We are looking into failed payments.";
/** The answers: headline, severity, services, status, text, notify, and the final choice. */
const quiet = ["Checkout fails", "MAJOR", "Checkout, Payments", "IDENTIFIED", text, "No"];
const loud = [...quiet.slice(0, -1), "Yes"];
const declare = "Declare it";

const draftFile = (folder: string) => join(folder, "home/.local/state/incident-cli/draft.yaml");

function bodyOf({ body }: { readonly body?: string | undefined }) {
  return JSON.parse(body ?? "");
}

describe("incident create with a person at the terminal", () => {
  it("asks for each field, and creates the incident from the answers", async () => {
    const { exitCode, requests, stderr } = await incident("create", {
      files,
      terminal,
      answers: [...quiet, declare],
    });
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
    expect(stderr).toContain("not notifying subscribers (Checkout and Payments)");
  });

  it("asks for the id of a service once, and offers the services that were sent there before", async () => {
    const world = createWorld({ terminal });
    const id = "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b";
    const rest = ["INVESTIGATING", text, "No", declare];
    const first = await world.run("create", {
      answers: ["Checkout fails", "MAJOR", "Checkout", id, "No", ...rest],
    });
    expect(first.exitCode).toBe(0);
    expect(first.screen).toContain(
      "? The id of Checkout, a GUID: copy it from the service's web application\n",
    );
    const second = await world.run("create", { answers: ["Checkout is slow", "MINOR", "Checkout", ...rest] });
    expect(second.screen).toContain("? Which services are affected?\n  - Checkout\n>");
    expect(second.requests.map(bodyOf)).toMatchObject([{ services: [{ name: "Checkout", id }] }]);
    const elsewhere = await world.run("create --account 99999999-2222-4333-8444-555555555555", {
      answers: ["Payments fail", "MINOR"],
    });
    expect(elsewhere.screen).toContain("? Which service is affected?");
    expect(elsewhere.screen).not.toContain("  - Checkout");
  });

  it("offers the services of the sandbox in a rehearsal", async () => {
    const env = { INCIDENT_CLI_SANDBOX: "http://127.0.0.1:1" };
    const answers = ["Checkout fails", "MAJOR", "Search", "INVESTIGATING", text, "No", declare];
    const { exitCode, requests, screen } = await incident("create", { terminal, env, answers });
    expect({ exitCode, screen }).toMatchObject({ exitCode: 0 });
    expect(screen).toContain("? Which services are affected?\n  - Checkout\n  - Search\n  - Sign-in\n");
    expect(requests.map(bodyOf)).toMatchObject([{ services: [{ name: "Search" }] }]);
  });

  it("says why a dumb terminal asks nothing", async () => {
    const { exitCode, stderr } = await incident("create", { terminal, env: { TERM: "dumb" } });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: no definition was given, and with TERM=dumb the questions cannot be drawn
  next: name a file with -f, or - for stdin (-f -), or give --name, --severity,
        --service and --message
`,
    });
  });

  it.each([
    ["a name", "--name Search", "What is wrong?", { name: "Search" }],
    ["a severity", "--severity minor", "How bad is it?", { severity: "MINOR" }],
    ["services", "--service payments", "Which services", { services: [{ name: "Payments" }] }],
    [
      "a status",
      "--status monitoring",
      "What is the status?",
      { incidentUpdates: [{ status: "MONITORING" }] },
    ],
    [
      "a text",
      "--message Wait.",
      "What should customers read?",
      { incidentUpdates: [{ description: "Wait." }] },
    ],
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
    const { screen, requests } = await incident(`create ${flags}`, {
      files,
      terminal,
      answers: [...answers, declare],
    });
    expect(screen).not.toContain(`? ${question}`);
    expect(bodyOf(requests[0] ?? {})).toMatchObject(sent);
  });

  it("names the services whose subscribers are notified, and confirms only once", async () => {
    const { exitCode, requests, screen } = await incident("create", {
      files,
      terminal,
      answers: [...loud, declare],
    });
    expect(exitCode).toBe(0);
    expect(screen).toContain("- Declare it, and notify the subscribers of Checkout and Payments");
    expect(bodyOf(requests[0] ?? {}).incidentUpdates[0].notifySubscribers).toBe(true);
  });

  it("asks again after an empty headline", async () => {
    const { exitCode, screen } = await incident("create", {
      files,
      terminal,
      answers: [" ", ...quiet, declare],
    });
    expect(exitCode).toBe(0);
    expect(screen).toContain("! write something: customers will read it");
  });

  it("ends with 130 and sends nothing when the person declines the last question", async () => {
    const world = createWorld({ files, terminal, answers: [...loud, "Stop"] });
    const { exitCode, requests, stderr } = await world.run("create");
    expect({ exitCode, requests }).toEqual({ exitCode: 130, requests: [] });
    expect(stderr).toContain("nothing was sent; your answers are kept");
  });

  it.each(quiet.map((_, index) => [index]))(
    "keeps %i answers when the next question is interrupted",
    async (count) => {
      const world = createWorld({ files, terminal });
      const first = await world.run("create", { answers: quiet.slice(0, count) });
      expect(first).toMatchObject({ exitCode: 130, requests: [] });
      expect(first.stderr.includes("your answers are kept")).toBe(count > 0);
      const again = count === 0 ? quiet : ["Continue it", ...quiet.slice(count)];
      const second = await world.run("create", { answers: [...again, declare] });
      expect(second.exitCode).toBe(0);
      expect(bodyOf(second.requests.at(-1) ?? {})).toMatchObject({
        name: "Checkout fails",
        severity: "MAJOR",
      });
      expect(existsSync(draftFile(world.folder))).toBe(false);
    },
  );

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

  it("keeps the draft when the create fails, and discards it on request", async () => {
    const world = createWorld({ files, terminal, faults: ["create:403"] });
    const failed = await world.run("create", { answers: [...quiet, declare] });
    expect(failed.exitCode).toBe(4);
    const anew = await world.run("create", { answers: ["Start a new one"] });
    expect(anew.screen).toContain('? You did not finish "Checkout fails".');
    expect(anew.screen).toContain("? What is wrong?");
    expect(existsSync(draftFile(world.folder))).toBe(false);
  });

  it("sends nothing twice when a draft is resumed after an unanswered create", async () => {
    const world = createWorld({ files, terminal, faults: ["create#1:drop-after-commit", "get#1-9:503"] });
    const lost = await world.run("create --settle-for 1s", { answers: [...quiet, declare] });
    expect(lost.exitCode).toBe(8);
    const found = await world.run("create", { answers: ["Continue it", declare] });
    expect(found).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("already declared") });
    expect(found.requests.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("continues without a draft where the state directory is not writable, with one warning", async () => {
    const answers = [...quiet, declare];
    const { exitCode, stderr } = await incident(
      "INCIDENT_CLI_STATE_DIR=.incident.yaml/x create --no-journal",
      {
        files,
        terminal,
        answers,
      },
    );
    expect(exitCode).toBe(0);
    expect(stderr.match(/the draft is not kept/g)).toHaveLength(1);
  });

  it("offers to change an answer before the create", async () => {
    const answers = [...quiet, "Change something", "The severity", "CRITICAL", declare];
    const { requests, stderr } = await incident("create", { files, terminal, answers });
    expect(bodyOf(requests[0] ?? {}).severity).toBe("CRITICAL");
    expect(stderr.match(/What customers will see:/g)).toHaveLength(2);
  });

  it("keeps the answers in a file that create -f takes", async () => {
    const world = createWorld({ files, terminal });
    const { exitCode, stderr } = await world.run("create", { answers: [...quiet, "Stop"] });
    expect(exitCode).toBe(130);
    expect(stderr.replace(/\s+/g, " ")).toContain(`your answers are kept in ${draftFile(world.folder)}`);
    const declared = await world.run(`create -f ${draftFile(world.folder)} -o id`, { terminal: {} });
    expect(declared.exitCode).toBe(0);
    // The answers are the same incident as the file.
    const resumed = await world.run("create -o id", { answers: ["Continue it", declare] });
    expect(resumed).toMatchObject({ exitCode: 0, stdout: declared.stdout });
    expect(world.sandbox.incidents()).toHaveLength(1);
  });

  it("names the incident, the host and the account in the last question", async () => {
    const { screen } = await incident("create", { files, terminal, answers: [...loud, "Stop"] });
    expect(screen).toContain(
      [
        '? Declare "Checkout fails" at 127.0.0.1:1, account 11111111-2222-4333-8444-555555555555?',
        "  - Declare it, and notify the subscribers of Checkout and Payments",
        "  - Declare it without notifying",
        "  - Change something",
        "  - Stop: declare nothing",
      ].join("\n"),
    );
  });

  it("declares nothing for Enter alone where subscribers are notified", async () => {
    const { exitCode, requests } = await incident("create", { files, terminal, answers: [...loud, ""] });
    expect({ exitCode, requests }).toEqual({ exitCode: 130, requests: [] });
  });

  it("declares without notifying although the answers notify", async () => {
    const answers = [...loud, "Declare it without notifying"];
    const { exitCode, requests } = await incident("create", { files, terminal, answers });
    expect(exitCode).toBe(0);
    expect(requests.map(bodyOf)[0].incidentUpdates[0].notifySubscribers).toBe(false);
  });

  it("explains each severity, and takes the least for Enter alone", async () => {
    const answers = ["Checkout fails", "", ...quiet.slice(2), declare];
    const { requests, screen } = await incident("create", { files, terminal, answers });
    expect(screen).toContain("  - CRITICAL: most customers cannot use the service\n");
    expect(requests.map(bodyOf)).toMatchObject([{ severity: "MINOR" }]);
  });

  it("asks for the name and id of each service without a catalog", async () => {
    const id = serviceId;
    const services = ["Checkout", "not an id", id, "Yes", "Search", id.replace("3", "4"), "No"];
    const answers = [...quiet.slice(0, 2), ...services, ...quiet.slice(3), declare];
    const { requests, screen } = await incident("create", { terminal, answers });
    expect(screen).toContain("! an id has 8-4-4-4-12 hexadecimal digits");
    expect(bodyOf(requests[0] ?? {}).services).toEqual([
      { name: "Checkout", id, accountId: access.accountId },
      { name: "Search", id: id.replace("3", "4"), accountId: access.accountId },
    ]);
  });

  it("skips the confirmation with --yes", async () => {
    const { exitCode, screen } = await incident("create --yes", { files, terminal, answers: quiet });
    expect(exitCode).toBe(0);
    expect(screen).not.toContain("? Declare it");
  });

  it("asks the questions with --dry-run, and sends nothing", async () => {
    const { exitCode, stdout, requests } = await incident("create --dry-run", {
      files,
      terminal,
      answers: quiet,
    });
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(stdout).toContain("POST");
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
    expect(stderr).toContain("--severity and --service and --message must be given");
    expect(screen).not.toContain("?");
  });
});

describe("a notification", () => {
  const definition = (notify: boolean, name = "A") => `name: ${name}
severity: MAJOR
services:
  - ${serviceYaml}
  - { name: Search, id: 5f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }
incidentUpdates:
  - description: We are looking into it.
    notifySubscribers: ${notify}
`;
  const both = `${definition(true)}---\n${definition(false, "B")}`;

  it.each([
    ["nobody", definition(false), "not notifying subscribers (Checkout and Search)\n"],
    ["the subscribers of all services", definition(true), "notifying subscribers of Checkout and Search\n"],
    [
      "those of one of two incidents",
      both,
      "notifying subscribers of Checkout and Search, for 1 of 2 incidents\n",
    ],
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
    expect(stderr).not.toContain("notifying");
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
      /^Declare "[^"]+" at 127\.0\.0\.1:1, account 1{8}-[0-9-]+,\sand\snotify\sthe subscribers of Checkout and Search\?\s\[y\/N\] /,
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
