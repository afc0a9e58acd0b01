// `incident update` and `incident resolve` against a sandbox that describes its operations.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lost, refusal } from "../../delivery/services-by-hand.ts";
import { definitionYaml, incidentId as id, terminal } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { createWorld, type Setup } from "../../harness/incident.ts";
import { refusing } from "../../harness/watched-files.ts";

const files = { "checkout.yaml": definitionYaml({ id }) };
const text = "We are watching it.";
const update = `update ${id} --status monitoring --message '${text}'`;
const kept = `update ${id} --message '${text}'`;
const search = "Search=0d3f5a1c-8a54-4f0e-9b3a-0a7c1f2e3d4c";

async function openWorld({ files: more, ...setup }: Setup = {}, declared = "create -f checkout.yaml") {
  const world = createWorld({ files: { ...files, ...more }, sandbox: { onlySpec: false }, ...setup });
  expect((await world.run(declared)).exitCode).toBe(0);
  /** The statuses and texts at the service, oldest first. */
  const shown = async () => {
    const { stdout } = await world.run(`get ${id} -o json`);
    const { incidentUpdates } = JSON.parse(stdout) as { incidentUpdates: Record<string, string>[] };
    return incidentUpdates.map(({ description, status }) => `${status}: ${description}`);
  };
  return { ...world, shown };
}

/** The requests of a run that change something. */
const sentIn = ({ requests }: { readonly requests: readonly { method: string; url: string }[] }) =>
  requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, url }) => `${method} ${url.split("/").at(-1)}`);

describe("incident update", () => {
  it.each([
    [`update ${id} --status monitoring --message -`, "MONITORING"],
    [`resolve ${id} --message -`, "RESOLVED"],
  ])("takes the text of --message - from stdin: %s", async (line, status) => {
    const { run, shown } = await openWorld();
    const { exitCode, stderr } = await run(line, { stdin: `${text}\nIt's slow.\n` });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect((await shown()).at(-1)).toBe(`${status}: ${text}\nIt's slow.`);
  });

  it("writes the text of stdin into the command that confirms it", async () => {
    const { run, shown } = await openWorld();
    const line = `update ${id} --status monitoring --message - --dry-run -o json`;
    const { stdout } = await run(line, { stdin: `${text}\n` });
    const { command } = JSON.parse(stdout) as { command: string[] };
    const words = command.slice(1).map((word) => `'${word}'`);
    expect((await run(words.join(" "))).exitCode).toBe(0);
    expect((await shown()).at(-1)).toBe(`MONITORING: ${text}`);
  });

  it.each([
    [`update ${id} --status monitoring --message '${text}'`, 1],
    [`resolve ${id} --message '${text}'`, 1],
    [`update ${id} --severity critical`, 1],
    ["resolve --key checkout --message Over.", 0],
  ])("--no-journal sends where the journal cannot be written: %s", async (line, changed) => {
    const { run } = await openWorld();
    const wrapFiles = refusing("EROFS", (name) => name === "linkSync");
    const result = await run(`${line} --no-journal`, { wrapFiles });
    expect({ sent: sentIn(result).length, exitCode: result.exitCode }).toEqual({
      sent: changed,
      exitCode: changed === 1 ? 0 : 5,
    });
  });

  it.each([
    ["nothing", { stdin: " \n" }, "--message: description is blank"],
    ["bytes that are no UTF-8", { stdin: Buffer.from([0xff, 0xfe]) as never }, "stdin is no text in UTF-8"],
    ["a terminal", { terminal: { stdin: true } }, "- reads stdin, and stdin is the terminal"],
  ])("sends nothing where stdin is %s", async (_, more, message) => {
    const { run } = await openWorld();
    const { exitCode, stderr, requests } = await run(`update ${id} --message -`, more);
    expect({ exitCode, stderr, requests }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(message),
      requests: [],
    });
  });

  it.each(["", "-o json", "-o curl"])(
    "says in a dry run with %j that nothing would be sent for an update that was posted",
    async (format) => {
      const { run } = await openWorld();
      await run(update);
      const { exitCode, stderr, stdout } = await run(`${update} --dry-run ${format}`);
      const isJson = format === "-o json";
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: isJson ? "[]\n" : "" });
      expect(stderr).toMatch(isJson ? /^$/ : /^already posted MONITORING of .*: nothing was sent\n$/s);
    },
  );

  it.each([
    ["equal", update, `${update} --notify`, `update ${id} --message - --notify`],
    ["RESOLVED", `resolve ${id} --message Over`, `resolve ${id} --message '${text}' --notify`, "--reopen"],
  ])("fails where the %s update did not notify, and --notify asks for it", async (_, first, line, hint) => {
    const { run } = await openWorld();
    await run(first);
    const again = await run(line);
    expect(again.stderr).toContain(hint);
    expect(again.exitCode).toBe(6);
    expect(again.stderr).toContain("has it already, and it did not notify subscribers");
    expect(sentIn(again)).toEqual([]);
  });

  it("takes a RESOLVED from here that notified as notified where the service shows the default", async () => {
    const world = await openWorld();
    const transport = rewriting(world.sandbox, (body) =>
      body.replaceAll('"notifySubscribers":true', '"notifySubscribers":false'),
    );
    for (const words of ["Over", "It is over."])
      expect(await world.run(`resolve ${id} --message '${words}' --notify`, { transport })).toMatchObject({
        exitCode: 0,
      });
  });

  it.each([
    ["update", `${update} --notify`, 5],
    ["apply", "apply -f checkout.yaml --yes", 9],
  ])("tells of no notification where it is refused: %s", async (_, line, attempts) => {
    const { folder, run, sandbox, shown } = await openWorld({ faults: [`update#1-${attempts}:429`] });
    const posted = `{ status: MONITORING, description: "${text}", notifySubscribers: true }`;
    const declared = "{ status: INVESTIGATING, description: We are looking into it. }";
    const later = definitionYaml({ id, incidentUpdates: `[${declared}, ${posted}]` });
    writeFileSync(join(folder, "checkout.yaml"), later);
    expect((await run(line)).exitCode).not.toBe(0);
    let reads = 0;
    // Between the plan and the look before the second attempt.
    const transport: typeof sandbox.transport = async (request, control) => {
      const outcome = await sandbox.transport(request, control);
      const isRead = request.method === "GET" && request.url.endsWith(id);
      reads += isRead ? 1 : 0;
      if (isRead && reads === 1) {
        const other = await run(`resolve ${id} --message 'It is over.' --no-journal`);
        expect(other, other.stderr).toMatchObject({ exitCode: 0 });
      }
      return outcome;
    };
    const late = await run(line, { transport });
    expect(late.stderr).toContain("is resolved, and an update would reopen it");
    expect(late).toMatchObject({ exitCode: 6 });
    expect(late.stderr).not.toContain("notifies");
    expect((await shown()).at(-1)).toBe("RESOLVED: It is over.");
  });

  it("allows a status that goes back, and says so", async () => {
    const { run } = await openWorld();
    await run(update);
    const back = await run(`update ${id} --status investigating --message 'It is back.'`);
    expect(back.exitCode).toBe(0);
    expect(back.stderr).toContain("the status goes back: from MONITORING to INVESTIGATING");
  });

  it("says that --reopen alone reopens nothing", async () => {
    const { run, shown } = await openWorld();
    await run(`resolve ${id} --message 'It is over.'`);
    const { exitCode, stderr } = await run(`update ${id} --message 'A report follows.' --reopen`);
    expect({ exitCode, last: (await shown()).at(-1) }).toEqual({
      exitCode: 0,
      last: "RESOLVED: A report follows.",
    });
    expect(stderr).toContain("warning: the incident stays RESOLVED: --reopen with --status opens it again");
  });

  it.each([
    ["is refused", "update:403", 9],
    ["has no known outcome", "update#1:drop-before-commit", 8],
  ])("says that the edit is made where the update after it %s", async (_, fault, code) => {
    const { run } = await openWorld({ faults: [fault] });
    const { exitCode, stderr } = await run(`${update} --severity critical`);
    expect(exitCode).toBe(code);
    expect(stderr).toContain("the edit is made; ");
    expect(JSON.parse((await run(`get ${id} -o json`)).stdout).severity).toBe("CRITICAL");
  });

  it("keeps the status without --status, in the dry run and in what is sent", async () => {
    const { run, shown } = await openWorld();
    const preview = await run(`${kept} --dry-run -o json`);
    expect(JSON.parse(preview.stdout).body).toContain('"status":"INVESTIGATING"');
    expect((await run(kept)).exitCode).toBe(0);
    expect((await shown()).at(-1)).toBe(`INVESTIGATING: ${text}`);
  });

  it("without --status takes a text of before for the same one: exit 11 once the status has moved on", async () => {
    const { run, shown } = await openWorld();
    await run(kept);
    expect((await run(kept)).exitCode).toBe(0);
    await run(`update ${id} --status identified --message 'We found the cause.'`);
    const { exitCode, requests, stderr } = await run(kept);
    expect({ exitCode, sent: sentIn({ requests }) }).toEqual({ exitCode: 11, sent: [] });
    expect(stderr.replace(/\s+/g, " ")).toContain("and the incident is IDENTIFIED now");
    // Another update in the status of now would not be the one that is meant.
    expect((await run(`${kept} --notify`)).exitCode).toBe(11);
    expect((await run(`${kept} --new`)).exitCode).toBe(0);
    expect((await shown()).at(-1)).toBe(`IDENTIFIED: ${text}`);
  });

  it.each([update, `update ${id} --severity critical`, `resolve ${id} --message Over`])(
    "says of an incident that a replica does not show yet when it was declared: exit 7: %s",
    async (line) => {
      const { clock, run } = await openWorld({ faults: ["get:stale=8s"] });
      const behind = await run(line);
      expect({ exitCode: behind.exitCode, sent: sentIn(behind) }).toEqual({ exitCode: 7, sent: [] });
      expect(behind.stderr).toContain(`the service does not show ${id}, which was declared from here at `);
      clock.advance(10_000);
      expect((await run(line)).exitCode).toBe(0);
    },
  );

  it.each(["kept", "replaced"] as const)(
    "is not planned on a read that is behind an update from here, with %s ids of updates: exit 7",
    async (ids) => {
      const faults = ["get:stale=8s", ...(ids === "kept" ? [] : ["update:ignore-id"])];
      const { clock, run, shown } = await openWorld({ faults });
      clock.advance(60_000);
      const over = `resolve ${id} --message Over`;
      expect((await run(over)).exitCode).toBe(0);
      for (const line of [`${over} --new`, `resolve ${id} --message 'Over again'`, update, over]) {
        const behind = await run(line);
        expect({ line, exitCode: behind.exitCode, sent: sentIn(behind) }).toEqual({
          line,
          exitCode: 7,
          sent: [],
        });
        expect(behind.stderr.replace(/\s+/g, " ")).toContain(
          "the service does not show the update that was posted from here at ",
        );
        expect(behind.stderr).not.toContain("--new");
      }
      clock.advance(10_000);
      expect((await run(over)).exitCode).toBe(0);
      expect((await run(update)).exitCode).toBe(6);
      expect((await shown()).at(-1)).toBe("RESOLVED: Over");
    },
  );

  it("stops an apply that would post after it on a read that is behind: exit 7", async () => {
    const started = "{ description: Checkout fails., status: INVESTIGATING }";
    const watching = `{ description: ${text}, status: MONITORING }`;
    const definitions = {
      "one.yaml": definitionYaml({ id, incidentUpdates: `[${started}]` }),
      "two.yaml": definitionYaml({ id, incidentUpdates: `[${started}, ${watching}]` }),
    };
    const world = await openWorld({ files: definitions, faults: ["get:stale=8s"] }, "apply one.yaml");
    world.clock.advance(60_000);
    expect((await world.run(`resolve ${id} --message Over`)).exitCode).toBe(0);
    const behind = await world.run("apply two.yaml");
    expect({ exitCode: behind.exitCode, sent: sentIn(behind) }).toEqual({ exitCode: 7, sent: [] });
    expect((behind.stdout + behind.stderr).replace(/\s+/g, " ")).toContain(
      "the service does not show the update that was posted from here at ",
    );
  });

  it("looks at --if-status right before each attempt, also after a wait", async () => {
    const world = await openWorld({ faults: ["update#1:429=30"] });
    const { transport } = world.sandbox;
    let hasMoved = false;
    const result = await world.run(`${update} --if-status investigating`, {
      transport: async (request, control) => {
        const outcome = await transport(request, control);
        if (request.method === "POST" && !hasMoved) {
          hasMoved = true;
          const other = `update ${id} --status identified --message 'It was the bank.'`;
          expect((await world.run(`INCIDENT_CLI_STATE_DIR=other ${other}`)).exitCode).toBe(0);
        }
        return outcome;
      },
    });
    expect({ exitCode: result.exitCode, stderr: result.stderr }).toMatchObject({ exitCode: 11 });
    expect((await world.shown()).at(-1)).toBe("IDENTIFIED: It was the bank.");
  });

  it("edits the services", async () => {
    const { run } = await openWorld();
    const { exitCode, stderr, stdout } = await run(`update ${id} --service ${search}`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout).toMatch(/services +Search\n/);
    expect(stderr).not.toContain("not notifying");
    expect(stderr).toContain("nothing states whether an edit notifies subscribers");
  });

  it("names the services that the incident has when its update is posted", async () => {
    const { run } = await openWorld();
    const { stderr } = await run(`${update} --service ${search} --notify`);
    expect(stderr).toContain("the update notifies the subscribers of Search\n");
  });

  it.each([
    ["an address", `https://status.example/incidents/${id}?tab=1`],
    ["an id in capitals", id.toUpperCase()],
  ])("finds the incident by %s", async (_, operand) => {
    const { run } = await openWorld();
    expect((await run(update.replace(id, operand))).exitCode).toBe(0);
  });

  it.each([
    ["that nothing here declared as it is typed", {}, [], id.toUpperCase()],
    [
      "that was declared from here as the service has it",
      { "checkout.yaml": definitionYaml({ id }) },
      [],
      id,
    ],
    [
      "whose create has no known outcome as it was sent",
      { "checkout.yaml": definitionYaml({ id }) },
      ["create:no-answer", "get#2-9:no-answer"],
      id,
    ],
  ])("asks for an id %s", async (_, declared, faults, asked) => {
    const { run } = createWorld({ files: declared, faults, sandbox: { onlySpec: false } });
    await run("create -f checkout.yaml");
    const { requests } = await run(update.replace(id, id.toUpperCase()));
    const read = requests.find(({ method, url }) => method === "GET" && url.includes("/incidents/"));
    expect(read?.url.split("/").at(-1)).toBe(asked);
  });

  it.each(["--key deploy-7", "--dedup-key checkout-eu"])("finds the incident by %s", async (flag) => {
    const { run } = await openWorld(
      { files: { "bare.yaml": definitionYaml() } },
      `create -f bare.yaml ${flag}`,
    );
    const { exitCode, stderr } = await run(update.replace(id, flag));
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  it("finds an incident whose id the service replaced, by the id that was sent", async () => {
    const { run } = await openWorld({ sandbox: { onlySpec: false, clientIds: "ignore" } });
    expect((await run(update)).exitCode).toBe(0);
  });
});

describe("incident update with a lost answer", () => {
  it("is exit 8 where it does not appear, is listed, and is settled by a person", async () => {
    const { run } = await openWorld({ faults: ["update#1:drop-before-commit"] });
    const lost = await run(update);
    expect(lost.exitCode).toBe(8);
    expect(lost.stderr).toContain(
      'it is not known whether the update MONITORING of "Checkout fails" was posted',
    );
    const [, operation = ""] = /journal settle (\S+) --created/.exec(lost.stderr) ?? [];
    expect(sentIn(await run(update))).toEqual([]);
    const { stdout } = await run("journal list");
    expect(stdout).toContain("update MONITORING of Checkout fails");
    expect((await run(`journal settle ${operation}`)).exitCode).toBe(8);
    const settled = await run(`journal settle ${operation} --not-created --yes`);
    expect({ exitCode: settled.exitCode, stderr: settled.stderr }).toMatchObject({ exitCode: 0 });
    expect((await run(update)).exitCode).toBe(0);
  });

  it("is read back with --if-status as well, although it has changed the status", async () => {
    const { clock, run, shown } = await openWorld({ faults: ["update#1:slow-commit=60s"] });
    const guarded = `${update} --if-status investigating`;
    for (const _ of [1, 2]) expect((await run(guarded)).exitCode).toBe(8);
    clock.advance(60_000);
    const again = await run(guarded);
    expect({ exitCode: again.exitCode, sent: sentIn(again) }).toEqual({ exitCode: 0, sent: [] });
    expect(await shown()).toHaveLength(2);
  });

  it("is never sent again past --if-status", async () => {
    const { run } = await openWorld({ faults: ["update#1:drop-before-commit"] });
    await run(update);
    const again = await run(`${update} --if-status identified`, { answers: ["y"], terminal });
    expect({ exitCode: again.exitCode, sent: sentIn(again) }).toEqual({ exitCode: 8, sent: [] });
  });

  it("is settled by one more look once it appears", async () => {
    const { clock, run } = await openWorld({ faults: ["update#1:slow-commit=60s"] });
    const lost = await run(update);
    const [, operation = ""] = /journal settle (\S+) --created/.exec(lost.stderr) ?? [];
    clock.advance(60_000);
    expect((await run(`journal settle ${operation}`)).exitCode).toBe(0);
  });
});

it.each(["resolve", "update --status identified", "update --name Checkout"])(
  "%s of an incident that is not there says where a create without a known outcome is listed",
  async (command) => {
    const faults = ["create#1:drop-before-commit"];
    const world = createWorld({ files, faults, sandbox: { onlySpec: false } });
    expect((await world.run("create -f checkout.yaml --settle-for 1s")).exitCode).toBe(8);
    const message = command.includes("--name") ? "" : "--message 'It was the bank.'";
    const { exitCode, stderr } = await world.run(`${command} ${id} ${message}`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
    expect(stderr.replace(/\s+/g, " ")).toContain(
      `there is no incident ${id} next: nothing was sent; check the id, or the --key that it is made of, and the account; incident journal list --open has it`,
    );
  },
);

describe("incident resolve", () => {
  it("posts nothing where the incident is resolved, with any text", async () => {
    const { run } = await openWorld();
    await run(`resolve ${id} --message 'It is over.'`);
    const again = await run(`resolve ${id} --message 'It is over, again.'`);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain("already resolved");
    expect(sentIn(again)).toEqual([]);
  });
});

describe("incident resolve of several", () => {
  const other = "8a7b6c5d-1111-4222-8333-944455556666";
  const openTwo = () =>
    openWorld(
      { files: { "other.yaml": definitionYaml({ id: other, name: "Search is slow" }) } },
      "create checkout.yaml other.yaml",
    );

  it("resolves each in order, once", async () => {
    const { run } = await openTwo();
    const { exitCode, stdout } = await run(
      `resolve ${id} ${other} https://x/${id} --message 'It is over.' -o json`,
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { id, how: "posted", lastUpdateStatus: "RESOLVED" },
      { id: other, how: "posted", lastUpdateStatus: "RESOLVED" },
    ]);
  });

  it("goes on after one that fails, tells it, and ends with 9", async () => {
    const { run } = await openTwo();
    const missing = id.replace("7c", "8c");
    const line = `resolve ${missing} ${other} --message 'It is over.' -o id`;
    const { exitCode, stderr, stdout } = await run(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: `${other}\n` });
    expect(stderr).toContain(`${missing}: there is no incident`);
    expect(stderr).toContain("next: the lines above say why each other is not");
    expect(stderr).not.toContain("nothing was sent");
  });

  it("ends a rerun that posts nothing with the exit code of the failure", async () => {
    const { run } = await openTwo();
    const line = `resolve ${id.replace("7c", "8c")} ${other} --message 'It is over.' -o id`;
    expect((await run(line)).exitCode).toBe(9);
    const again = await run(line);
    expect(again).toMatchObject({ exitCode: 5, stdout: `${other}\n` });
    expect(again.stderr).toContain("1 of 2 incidents are resolved; there is no incident");
  });
});

describe("a service whose document lacks the operation", () => {
  it("is exit 6: the message says which one, and where a person does it", async () => {
    const env = { INCIDENT_CLI_WEB_URL: "https://status.example/{id}" };
    const { run } = await openWorld({ sandbox: { onlySpec: true }, env });
    const { exitCode, requests, stderr } = await run(update);
    expect({ exitCode, sent: sentIn({ requests }) }).toEqual({ exitCode: 6, sent: [] });
    expect(stderr).toContain("the service's document does not describe a new update");
    expect(stderr).toContain(`https://status.example/${id}`);
  });

  it.each([
    ["7 where the document cannot be read", lost, 7],
    ["6 where the service itself has none", refusal(404), 6],
  ] as const)("is exit %s, and nothing is sent", async (_, outcome, code) => {
    const world = await openWorld();
    rmSync(join(world.folder, "home/.cache"), { recursive: true });
    const { transport } = world.sandbox;
    for (const line of [update, `resolve ${id} ${id.replace("7c", "8c")} --message Over`]) {
      const result = await world.run(line, {
        transport: (request, control) =>
          request.url.endsWith("/openapi.json") ? Promise.resolve(outcome) : transport(request, control),
      });
      expect({ exitCode: result.exitCode, sent: sentIn(result) }).toEqual({ exitCode: code, sent: [] });
      expect(result.stderr.split("whether the service describes a new update is not known")).toHaveLength(2);
      expect(result.stderr).toMatch(
        /next: nothing was sent; .*if it cannot wait, do it in the service's web/,
      );
    }
  });
});

describe("the consent to an update", () => {
  it("is bound to the bytes of a preview", async () => {
    const { run } = await openWorld();
    const preview = await run(`${update} --notify --dry-run -o json`);
    expect(sentIn(preview)).toEqual([]);
    const { command, confirm } = JSON.parse(preview.stdout) as { command: string[]; confirm: string };
    const other = await run(`${update.replace("watching", "fixing")} --notify --confirm ${confirm}`);
    expect({ exitCode: other.exitCode, sent: sentIn(other) }).toEqual({ exitCode: 13, sent: [] });
    const line = command.slice(1).map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`));
    const confirmed = await run(line.join(" "));
    expect({ exitCode: confirmed.exitCode, stderr: confirmed.stderr }).toMatchObject({ exitCode: 0 });
  });

  it("with --new is for one update", async () => {
    const { run, shown } = await openWorld();
    await run(update);
    const { confirm } = JSON.parse((await run(`${update} --new --dry-run -o json`)).stdout);
    expect((await run(`${update} --new --confirm ${confirm}`)).exitCode).toBe(0);
    const again = await run(`${update} --new --confirm ${confirm} -o json`);
    expect(again.exitCode).toBe(13);
    expect(await shown()).toHaveLength(3);
    const next = JSON.parse(again.stderr).error.command.slice(1) as string[];
    expect((await run(next.map((word) => `'${word}'`).join(" "))).exitCode).toBe(0);
    expect(await shown()).toHaveLength(4);
  });
});

describe("the policy of the project", () => {
  const policy = (text: string) => ({ ".incident.yaml": `policy:\n  ${text}\n` });

  it.each([
    ["a forbidden word", "description: { forbid: [watching] }", update],
    ["a severity that may not notify", "notify: [CRITICAL]", `${update} --notify`],
    ["a leak", "leaks: forbid", update.replace("it.", "10.1.2.3.")],
    [
      "an edit to a name that is forbidden",
      "name: { forbid: [TODO] }",
      `update ${id} --name 'TODO: Checkout'`,
    ],
  ])("stops %s before anything is sent", async (_, rule, line) => {
    const { run } = await openWorld({ files: policy(rule) });
    const { exitCode, requests } = await run(line);
    expect({ exitCode, sent: sentIn({ requests }) }).toEqual({ exitCode: 2, sent: [] });
  });
});

it.each([
  `--message 'We watch \${region:-it}.'`,
  `--message 'We watch $\${region}.'`,
  `--name 'Failures in \${region}'`,
])("refuses a variable, which nothing would fill: %s", async (flag) => {
  const { run } = await openWorld();
  const { exitCode, requests, stderr } = await run(`update ${id} ${flag}`);
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain(`${flag.split(" ")[0]}: an update has no variables, and this is one: \${region`);
});

it.each([
  ["a placeholder", "We watch {{ service }}.", 'has "{{ service }}", and customers would see it so'],
  ["a leak where the policy warns", "We watch 10.1.2.3.", 'has a private address: "10.1.2.3"'],
])("%s in the text of an update is a warning, and is posted", async (_, written, warning) => {
  const { run, shown } = await openWorld({ files: { ".incident.yaml": "policy: { leaks: warn }\n" } });
  const { exitCode, stderr } = await run(`update ${id} --message '${written}'`);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stderr.split("\n").filter((line) => line.startsWith("warning:"))).toEqual([
    expect.stringContaining(`warning: --message: description ${warning}`),
  ]);
  expect((await shown()).at(-1)).toBe(`INVESTIGATING: ${written}`);
});

describe("at a terminal", () => {
  it("refuses an update of a resolved incident before it asks for the answers", async () => {
    const { run, shown } = await openWorld();
    await run(`resolve ${id} --message 'It is over.'`);
    const { exitCode, stderr } = await run(`update ${id}`, { terminal, answers: [] });
    expect(exitCode).toBe(6);
    expect(stderr).toContain("is resolved, and an update would reopen it");
    const answers = ["MONITORING", "It is back.", "No", "y"];
    expect((await run(`update ${id} --reopen`, { terminal, answers })).exitCode).toBe(0);
    expect((await shown()).at(-1)).toBe("MONITORING: It is back.");
  });

  it("asks which incident, and for the rest, and shows what customers will see", async () => {
    const { run, shown } = await openWorld();
    const { exitCode, screen } = await run("update", {
      terminal,
      answers: ["Checkout fails", "MONITORING", text, "No", "y"],
    });

    expect(exitCode).toBe(0);
    expect(screen).toContain("What customers will see:");
    expect((await shown()).at(-1)).toBe(`MONITORING: ${text}`);
  });

  it("preselects the current status, and keeps it for a text of the command line", async () => {
    const { run, shown } = await openWorld();
    await run(update);
    const answers = ["", "It is better.", "No", "y"];
    expect((await run(`update ${id}`, { terminal, answers })).exitCode).toBe(0);
    expect((await shown()).at(-1)).toBe("MONITORING: It is better.");
    const { exitCode } = await run(`update ${id} --message 'All is well.'`, { terminal, answers: [] });
    expect(exitCode).toBe(0);
    expect((await shown()).at(-1)).toBe("MONITORING: All is well.");
  });

  it("shows the edited values, and the updates newest first, before it asks", async () => {
    const { run } = await openWorld();
    await run(update);
    const { screen } = await run("update --severity critical --message 'It is worse.'", {
      terminal,
      answers: ["Checkout fails", "n"],
    });
    const preview = screen.slice(screen.indexOf("What customers will see:"));
    expect(preview).toContain("CRITICAL");
    const places = ["It is worse.", text, "We are looking into it."].map((each) => preview.indexOf(each));
    expect(places).toEqual(places.toSorted((one, two) => one - two));
    expect(places).not.toContain(-1);
  });

  it("tells equal names apart by the first digits of their ids", async () => {
    const idOf = (start: string) => `${start}-7425-40de-944b-e07fc1f90ae7`;
    const { run } = await openWorld({
      files: {
        "a.yaml": definitionYaml({ id: idOf("aaaa1111"), name: "Search is slow" }),
        "b.yaml": definitionYaml({ id: idOf("bbbb2222"), name: "Search is slow" }),
        "c.yaml": definitionYaml({ id: idOf("cccc3333"), name: "Refunds fail" }),
      },
    });
    expect((await run("create a.yaml b.yaml c.yaml")).exitCode).toBe(0);
    const { screen } = await run("update", { terminal, answers: [] });
    for (const digits of ["aaaa1111", "bbbb2222"])
      expect(screen).toContain(`- Search is slow: INVESTIGATING ${digits}\n`);
    expect(screen).toContain("- Refunds fail: INVESTIGATING cccc3333\n");
  });

  it.each([
    [`resolve ${id}`, ["It is over.", "Yes", "Stop"], `resolve --message 'It is over.' --notify ${id}`],
    [`resolve ${id}`, ["It is over."], `resolve --message 'It is over.' ${id}`],
    [
      "update",
      ["Checkout fails", "MONITORING", "Soon.", "No", "Stop"],
      `update --status MONITORING --message Soon. ${id}`,
    ],
  ])(
    "sends nothing where the person stops, and tells the command with the answers: %s",
    async (line, answers, again) => {
      const { run, shown } = await openWorld();
      const stopped = await run(line, { terminal, answers });
      expect({ exitCode: stopped.exitCode, sent: sentIn(stopped) }).toEqual({ exitCode: 130, sent: [] });
      for (const told of ["# go on with these answers", `incident ${again}`])
        expect(stopped.screen).toContain(told);
      expect((await run(`${again} --yes`)).exitCode).toBe(0);
      expect(await shown()).toHaveLength(2);
    },
  );

  it("asks before a notification", async () => {
    const { run, shown } = await openWorld();
    const declined = await run(`${update} --notify`, { terminal, answers: ["n"] });
    expect({ exitCode: declined.exitCode, sent: sentIn(declined) }).toEqual({ exitCode: 130, sent: [] });
    expect(declined.screen).toContain("--no-notify sends it without telling subscribers");
    const agreed = await run(`${update} --notify`, { terminal, answers: ["y"] });
    expect(agreed.exitCode).toBe(0);
    expect(agreed.requests.find(({ method }) => method === "POST")?.body).toContain(
      '"notifySubscribers":true',
    );
    expect(await shown()).toHaveLength(2);
  });
});

it("a name that the service alters is edited once", async () => {
  const world = createWorld({
    files: { "x.yaml": definitionYaml({ id }) },
    sandbox: { onlySpec: false },
    faults: ["edit:alter-text"],
  });
  await world.run("create -f x.yaml");
  const rename = async (name: string, more = "") => {
    const { exitCode, requests } = await world.run(`update ${id} --name '${name}' ${more}`);
    return { exitCode, edits: requests.filter(({ method }) => method !== "GET").length };
  };
  expect(await rename("Payments by card fail", "--severity minor")).toEqual({ exitCode: 0, edits: 1 });
  expect(world.sandbox.incidents()[0]?.name).not.toBe("Payments by card fail");
  expect(await rename("Payments by card fail", "--severity minor")).toEqual({ exitCode: 0, edits: 0 });
  expect(await rename("Refunds by card fail")).toEqual({ exitCode: 0, edits: 1 });
  expect(await rename("Refunds by card fail")).toEqual({ exitCode: 0, edits: 0 });
  // Another value than the altered one is not that of this edit.
  expect(await rename("Payments by card fail", "--severity minor")).toEqual({ exitCode: 0, edits: 1 });
});
