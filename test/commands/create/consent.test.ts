// `confirm:` in a profile and in the policy, and the programs that act for people: when a create needs --confirm.
import { describe, expect, it } from "vitest";
import { agentVariables } from "../../../src/workspace/consent.ts";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld, type Setup } from "../../harness/incident.ts";
import { catalog } from "../sample-definition.ts";

const text = (notify: boolean) => `[{ description: Down., notifySubscribers: ${notify} }]`;
const files = {
  "loud.yaml": definitionYaml({ id, incidentUpdates: text(true) }),
  "quiet.yaml": definitionYaml({ id, incidentUpdates: text(false) }),
};
const agent = { AI_AGENT: "1" };
const terminal = { stdin: true, stdout: true, stderr: true };
const policy = (mode: string) => ({ ".incident.yaml": `policy: { confirm: ${mode} }\n` });
const profile = (mode: string) => ({
  "home/.config/incident-cli/config.yaml": `defaultProfile: a\nprofiles:\n  a: { baseUrl: "http://127.0.0.1:1", apiKey: test-key-0123456789abcdef, accountId: 11111111-2222-4333-8444-555555555555, confirm: ${mode} }\n`,
});
const fromProfile = { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" };

const creates = (result: { readonly requests: readonly { readonly method: string }[] }) =>
  result.requests.filter(({ method }) => method === "POST").length;

async function create(name: "loud" | "quiet", setup: Setup, flags = "") {
  const world = createWorld({ ...setup, files: { ...files, ...setup.files } });
  const result = await world.run(`create -f ${name}.yaml ${flags}`);
  return { ...result, sent: creates(result), world };
}

describe("a program that acts for a person", () => {
  it("needs a confirmation for a create that notifies, and gets the command to run", async () => {
    const { exitCode, sent, stderr, world } = await create("loud", { env: agent }, "-o json");
    expect([exitCode, sent]).toEqual([13, 0]);
    const { error } = JSON.parse(stderr);
    expect(error.message).toBe(
      "this notifies the subscribers of Checkout, and needs the consent of a person (confirm: notify, from AI_AGENT)",
    );
    const confirmed = await world.run(error.command.slice(1).join(" "));
    expect([confirmed.exitCode, creates(confirmed)]).toEqual([0, 1]);
    const again = await world.run("create -f loud.yaml");
    expect([again.exitCode, creates(again)]).toEqual([0, 0]);
  });

  it("needs none for a create that notifies nobody", async () => {
    expect(await create("quiet", { env: agent })).toMatchObject({ exitCode: 0, sent: 1 });
  });

  it("needs a confirmation for a second incident like one that is open, also after a lost answer", async () => {
    const bare = definitionYaml({ incidentUpdates: text(false) });
    const faults = ["create#1:drop-after-commit"];
    const world = createWorld({
      files: { "x.yaml": bare, "edited.yaml": bare.replace("MAJOR", "MINOR") },
      env: agent,
      faults,
      sandbox: { onlySpec: false },
    });
    const first = await world.run("create -f x.yaml -o id");
    expect([first.exitCode, creates(first)]).toEqual([0, 1]);
    for (const repeated of ["create -f edited.yaml -o json", "create -f edited.yaml -o json --yes"]) {
      const refused = await world.run(repeated);
      expect([refused.exitCode, creates(refused)]).toEqual([13, 0]);
      const { message } = JSON.parse(refused.stderr.split("\n").at(-2) ?? "").error;
      expect(message).toContain(`${first.stdout.trim()} is open (INVESTIGATING) with the same name`);
      expect(message).toMatch(/needs the consent of a person \(confirm: notify, from AI_AGENT\)$/);
    }
    const preview = JSON.parse((await world.run("create -f edited.yaml --dry-run -o json")).stdout);
    const confirmed = await world.run(preview.command.slice(1).join(" "));
    expect([confirmed.exitCode, creates(confirmed)]).toEqual([0, 1]);
  });

  it("is not helped by --yes", async () => {
    expect(await create("loud", { env: agent }, "--yes")).toMatchObject({ exitCode: 13, sent: 0 });
    const world = createWorld({ files, env: agent });
    const applied = await world.run("apply -f loud.yaml --yes");
    expect([applied.exitCode, creates(applied)]).toEqual([13, 0]);
  });

  it("changes nothing else about a run", async () => {
    const plain = await create("quiet", {});
    const acting = await create("quiet", { env: agent });
    expect([acting.stdout, acting.stderr]).toEqual([plain.stdout, plain.stderr]);
  });

  it.each(agentVariables)("is known by %s", async (name) => {
    expect((await create("loud", { env: { [name]: "yes" } })).exitCode).toBe(13);
  });

  it.each(["0", "false"])("is known by AI_AGENT=%s, because it is set", async (value) => {
    expect((await create("loud", { env: { AI_AGENT: value } })).exitCode).toBe(13);
  });

  it.each(["", " "])("is not known by AI_AGENT=%j", async (value) => {
    expect((await create("loud", { env: { AI_AGENT: value } })).exitCode).toBe(0);
  });

  it("leaves the question at a terminal to the person, also with --yes", async () => {
    const yes = await create("loud", { env: agent, terminal, answers: ["y"] }, "--yes");
    expect([yes.exitCode, yes.sent]).toEqual([0, 1]);
    expect(yes.screen).toContain("notify the subscribers of Checkout?");
    const no = await create("loud", { env: agent, terminal, answers: ["n"] }, "--yes");
    expect([no.exitCode, no.sent]).toEqual([130, 0]);
  });

  it("is asked for after the questions as well, where --yes leaves the last one out", async () => {
    const world = createWorld({ files: { ".incident.yaml": catalog }, env: agent, terminal });
    const answers = ["Checkout fails", "MAJOR", "Checkout", "INVESTIGATING", "Down.", "Yes", "n"];
    const no = await world.run("create --yes", { answers });
    expect([no.exitCode, creates(no)]).toEqual([130, 0]);
  });

  it("is asked by apply as well, whose question names the subscribers", async () => {
    const world = createWorld({ files, terminal });
    const no = await world.run("apply -f loud.yaml", { answers: ["n"] });
    expect([no.exitCode, creates(no)]).toEqual([130, 0]);
    expect(no.screen.replace(/\s+/g, " ")).toMatch(
      /Apply 1 change at \S+, account \S+, and notify the subscribers of Checkout\? \[y\/N\]/,
    );
  });

  it("hears of an edit that it may notify, which nothing states", async () => {
    const world = createWorld({ files, env: agent, sandbox: { onlySpec: false } });
    await world.run("create -f quiet.yaml");
    const refused = await world.run(`update ${id} --severity critical`);
    expect(refused).toMatchObject({ exitCode: 13, stderr: expect.stringContaining("this may notify the") });
  });

  it("answers with the open incident of a dedup key without a confirmation", async () => {
    const loud = definitionYaml({ incidentUpdates: text(true) });
    const world = createWorld({ files: { "x.yaml": loud } });
    await world.run("create -f x.yaml --dedup-key a");
    const answered = await world.run("create -f x.yaml --dedup-key a", { env: agent });
    expect([answered.exitCode, creates(answered)]).toEqual([0, 0]);
  });
});

describe("confirm: of a profile and of the policy", () => {
  it.each([
    ["never", "loud", 0],
    ["notify", "loud", 13],
    ["notify", "quiet", 0],
    ["always", "quiet", 13],
  ] as const)("%s in the policy: %s.yaml exits with %i", async (mode, name, exitCode) => {
    expect((await create(name, { files: policy(mode) })).exitCode).toBe(exitCode);
  });

  it.each([
    ["never", undefined, agent, "loud", 0],
    ["never", "notify", {}, "loud", 13],
    ["never", "always", agent, "quiet", 13],
    ["always", "never", {}, "quiet", 13],
    ["notify", undefined, agent, "quiet", 0],
  ] as const)("profile %s, policy %s: the stricter of both", async (mode, rule, env, name, exitCode) => {
    const all = { ...profile(mode), ...(rule && policy(rule)) };
    expect((await create(name, { files: all, env: { ...fromProfile, ...env } })).exitCode).toBe(exitCode);
  });

  it.each(["", "--yes"])("asks the person at a terminal where each create needs one: %j", async (flags) => {
    const no = await create("quiet", { files: policy("always"), terminal, answers: ["n"] }, flags);
    expect([no.exitCode, no.sent]).toEqual([130, 0]);
    expect(no.screen).toMatch(/^Declare "Checkout fails" at \S+ account\s\S+\? \[y\/N\] /);
    const yes = await create("quiet", { files: policy("always"), terminal, answers: ["y"] }, flags);
    expect([yes.exitCode, yes.sent]).toEqual([0, 1]);
  });

  it("refuses another value", async () => {
    const { exitCode, stderr } = await create("loud", { files: policy("sometimes") });
    expect(exitCode).toBe(3);
    expect(stderr).toContain("sometimes");
  });

  it("needs one confirmation for all that an apply would declare", async () => {
    const world = createWorld({ files: { ...files, "quiet.yaml": "", ...policy("notify") } });
    const refused = await world.run("apply -f loud.yaml -o json");
    expect([refused.exitCode, creates(refused)]).toEqual([13, 0]);
    const { command } = JSON.parse(refused.stderr).error;
    expect(creates(await world.run(command.slice(1).join(" ")))).toBe(1);
    expect((await world.run("apply -f loud.yaml")).exitCode).toBe(0);
  });

  it("is told by config show, with its source", async () => {
    const world = createWorld({ files: policy("always"), env: agent });
    const { settings } = JSON.parse((await world.run("config show -o json")).stdout);
    const confirm = settings.find(({ name }: { name: string }) => name === "confirm");
    expect(confirm.value).toBe("always");
    expect(confirm.origin).toMatch(/\.incident\.yaml:1$/);
    expect(confirm.overridden).toContainEqual({ value: "notify", origin: "AI_AGENT" });
  });
});
