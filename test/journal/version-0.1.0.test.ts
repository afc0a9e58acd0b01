// A state directory that version 0.1.0 wrote: this version reads each of its entries, continues its claims, and
// settles what it left uncertain.
import { hash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, createService, refusal, type Service } from "../delivery/services-by-hand.ts";
import { access, serviceId } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";

const { definitions, state } = JSON.parse(
  fs.readFileSync(new URL("../../fixtures/released/0.1.0/journal.json", import.meta.url), "utf8"),
) as Record<"definitions" | "state", Record<string, string>>;

const id = (last: number) => `7c9e6679-7425-40de-944b-00000000000${last}`;
const flags = "--state-dir state --settle-for 300ms --max-retries 0";
const env = { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:47811" };

type Files = Readonly<Record<string, string>>;

function createOldWorld(files: Files = definitions, stored: Files = state): World {
  const world = createWorld({ files, env });
  for (const [name, text] of Object.entries(stored)) {
    const path = join(world.folder, "state", name);
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path, text, { mode: 0o600 });
  }
  return world;
}

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly name: string;
}

async function list(world: World): Promise<readonly Listed[]> {
  const { exitCode, stdout, stderr } = await world.run(`journal list -o json ${flags}`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}

const idOf = async (world: World, name: string) =>
  (await list(world)).find((one) => one.name === name)?.id ?? "";

/** For each file: the exit code of a create, and the number of creates that are sent. */
const expected: readonly (readonly [name: string, exitCode: number, creates: number])[] = [
  ["created.yaml", 0, 0],
  ["refused.yaml", 0, 1],
  ["uncertain.yaml", 8, 0],
  ["told.yaml", 0, 1],
  ["untold.yaml", 0, 0],
  ["lost.yaml", 8, 0],
  ["batch.yaml", 0, 3],
];

/** What the service has: every incident that the journal knows, by id. */
function serviceOf(more: readonly string[] = []): Service {
  const known = new Map<string, unknown>();
  for (const [name, text] of Object.entries(state)) {
    const lines = name.startsWith("journal/") ? text.trim().split("\n") : [];
    for (const { event } of lines.map((line) => JSON.parse(line)))
      if (event.type === "created") known.set(event.serviceId, event.incident);
      else if (event.type === "sending" && event.content && more.includes(event.content.body.id ?? ""))
        known.set(event.content.body.id, { ...event.content.body });
  }
  return createService(
    (body) => answer(201, body),
    (asked) => (known.has(asked) ? answer(200, known.get(asked)) : refusal(404)),
  );
}

const account = `accountId: ${access.accountId}`;
const pinned = Object.fromEntries(
  Object.entries(definitions).map(([name, text]) => [
    name,
    text.replaceAll(" }]\nincident", `, ${account} }]\nincident`),
  ]),
);

/** The state that 0.1.0 would have written for `pinned`, whose digests and names of claims depend on the account. */
function pinnedState(): Files {
  const baseUrl = env.INCIDENT_CLI_BASE_URL;
  const claimOf = (digest: string) =>
    hash("sha256", JSON.stringify([baseUrl, access.accountId, digest, 1])).slice(0, 40);
  const replaced = new Map<string, string>();
  for (const text of Object.values(state)) {
    for (const [, digest = ""] of text.matchAll(/"digest":"(\w+)"/g)) {
      const body = JSON.parse(/"body":(.*?),"digest"/.exec(text.slice(0, text.indexOf(digest)))?.[1] ?? "{}");
      const services = [{ name: "Checkout", id: serviceId, accountId: access.accountId }];
      const pinnedDigest = hash("sha256", JSON.stringify({ ...body, services, id: undefined }));
      replaced.set(digest, pinnedDigest).set(claimOf(digest), claimOf(pinnedDigest));
    }
  }
  const pin = (text: string) =>
    [...replaced]
      .reduce((all, [from, to]) => all.replaceAll(from, to), text)
      .replaceAll(`"services":[{"name":"Checkout","id":"${serviceId}"}]`, (services) =>
        services.replace("}]", `,"accountId":"${access.accountId}"}]`),
      );
  return Object.fromEntries(Object.entries(state).map(([name, text]) => [pin(name), pin(text)]));
}

describe("a state directory of 0.1.0", () => {
  it("is listed whole, and each operation can be shown", async () => {
    const world = createOldWorld();
    const listed = await list(world);
    expect(listed.map(({ name, state }) => `${name}: ${state}`).sort()).toEqual([
      "Applied 4: created",
      "Applied 5: created",
      "Applied 6: created",
      "Batch one: created",
      "Batch three: created",
      "Batch two: created",
      "Created: created",
      "Lost: uncertain",
      "Refused: refused",
      "Told: created",
      "Uncertain: uncertain",
      "Untold: created",
    ]);
    for (const one of listed) {
      const { exitCode, stdout } = await world.run(`journal show ${one.id} ${flags}`);
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining(one.name) });
    }
  });

  it.each([
    ["answers its own files", definitions, state],
    ["answers files that have the account of the settings", pinned, state],
    ["with the account in each service answers the same files", pinned, pinnedState()],
    ["with the account in each service answers files without it", definitions, pinnedState()],
  ])("%s", async (_, files, stored) => {
    for (const [name, exitCode, creates] of expected) {
      const world = createOldWorld(files, stored);
      const { sent, transport } = serviceOf();
      const result = await world.run(`create -f ${name} ${flags}`, { transport });
      expect([name, result.exitCode, sent.length], result.stderr).toEqual([name, exitCode, creates]);
    }
  });

  it("answers an apply of what it applied, one file under several names", async () => {
    const world = createOldWorld();
    const { sent, transport } = serviceOf();
    const result = await world.run(`apply -f folder -o id ${flags}`, { transport });
    expect(result).toMatchObject({ exitCode: 0, stdout: `${id(4)}\n${id(5)}\n${id(6)}\n` });
    // The journal answers as well, where the service cannot.
    const { transport: silent } = createService(
      () => refusal(500),
      () => refusal(503),
    );
    const alone = await world.run(`create -f folder/5.yaml -o id ${flags}`, { transport: silent });
    expect(alone).toMatchObject({ exitCode: 0, stdout: `${id(5)}\n` });
    expect(sent).toHaveLength(0);
  });

  it("is settled: by reading back, by running it again, and by a person", async () => {
    const world = createOldWorld();
    const lost = await idOf(world, "Lost");
    const found = serviceOf([id(3), lost]);
    expect((await world.run(`journal settle ${id(3)} ${flags}`, found)).exitCode).toBe(0);
    expect(await world.run(`create -f lost.yaml -o id ${flags}`, found)).toMatchObject({
      exitCode: 0,
      stdout: `${lost}\n`,
    });
    expect(found.sent).toHaveLength(0);
    expect((await list(world)).filter(({ state }) => state === "uncertain")).toEqual([]);

    const second = createOldWorld();
    expect((await second.run(`journal settle ${id(3)} --not-created --yes ${flags}`)).exitCode).toBe(0);
    const empty = createService((body) => answer(201, body));
    expect((await second.run(`create -f uncertain.yaml ${flags}`, empty)).exitCode).toBe(0);
    expect(empty.sent).toHaveLength(1);
  });

  it("keeps what is uncertain when it is pruned", async () => {
    const world = createOldWorld();
    const { transport } = serviceOf();
    world.clock.advance(2 * 365 * 24 * 60 * 60 * 1000);
    expect((await world.run(`create -f told.yaml ${flags}`, { transport })).exitCode).toBe(0);
    expect(
      fs.readdirSync(join(world.folder, "state/journal")).some((name) => name.endsWith("-first.json")),
    ).toBe(true);
    expect(
      (await list(world))
        .filter(({ state }) => state === "uncertain")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["Lost", "Uncertain"]);
    // Declared and never told: it stays that incident.
    const untold = await world.run(`create -f untold.yaml ${flags}`, { transport });
    expect(untold).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("already declared") });
  });
});
