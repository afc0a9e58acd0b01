// Random bytes as the answers of a service, through the whole command. Each run prints its seed; INCIDENT_TEST_SEED
// repeats it.
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createUndiciTransport } from "../src/http/undici-transport.ts";
import { createDice, type Dice } from "./delivery/dice.ts";
import { access, definitionYaml, incidentId as id } from "./harness/builders.ts";
import { createWorld, type Result, type World } from "./harness/incident.ts";

const seed = Number(process.env.INCIDENT_TEST_SEED ?? Date.now() % 2 ** 31);

/** Characters that a terminal obeys, or that hide or reorder text. */
const speaking = /(?![\t\n])[\p{Cc}\p{Cf}]/u;

const readFixtures = (folder: string): readonly Buffer[] => {
  const path = join(import.meta.dirname, "../fixtures", folder);
  const names = readdirSync(path).filter((name) => name.endsWith(".yaml"));
  return names.map((name) => readFileSync(join(path, name)));
};

const fixtures = [".", "invalid"].flatMap(readFixtures);

/** Pieces that mean something to YAML, to a definition, to a terminal or to a table of JavaScript. */
const pieces = [
  ..."{}[],:-#&*!|>'\"%@`\\\n\r\t \0",
  ...[
    "---\n",
    "...\n",
    "<<: *a",
    "&a ",
    "*a",
    "!!map ",
    "? ",
    ": ",
    "- ",
    "- - ",
    "\r\n",
    "\ufeff",
    "\u0085",
    "\u2028",
  ],
  ...[
    "\u202e",
    "\u200b",
    "\u{e0041}",
    "\ud83d",
    "\u001b[2J",
    "\u0080",
    "%YAML 1.1\n",
    "%TAG ! a\n",
    "0x1f",
    ".inf",
    "1e999",
  ],
  ...[
    "__proto__: x\n",
    "constructor: x\n",
    "severity: toString\n",
    "$".concat("{a}"),
    "${",
    "$${",
    "${a:-",
    "null",
    "2026-02-30",
    "~",
  ],
  ..."[ { \" ' - *a &a".split(" ").map((piece) => piece.repeat(300)),
];

function mutate(dice: Dice, bytes: Buffer): Buffer {
  let mutated = bytes;
  for (let count = dice.pick([1, 1, 1, 2, 4]); count > 0; count -= 1) {
    const at = Math.floor(dice.roll() * (mutated.length + 1));
    const length = Math.floor(dice.roll() * dice.pick([1, 2, 20, 400]));
    const [before, part, after] = [
      mutated.subarray(0, at),
      mutated.subarray(at, at + length),
      mutated.subarray(at + length),
    ];
    const other = dice.pick(fixtures);
    const from = Math.floor(dice.roll() * other.length);
    mutated = dice.pick([
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, part, part, after]),
      () => Buffer.concat([before, Buffer.from(dice.pick(pieces)), part, after]),
      () => Buffer.concat([before, Buffer.from(dice.pick(pieces)), after]),
      () => Buffer.concat([before, randomBytes(dice, length), after]),
      () => Buffer.concat([before, other.subarray(from, from + 200), after]),
    ])();
  }
  return mutated;
}

function randomBytes(dice: Dice, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(dice.roll() * 256)));
}

describe(`random bytes as answers, with the seed ${seed}`, () => {
  let server: Server;
  const sockets = new Set<Socket>();
  let answer: Buffer = Buffer.alloc(0);

  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
      socket.once("data", () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const body = {
    id,
    name: "Checkout fails",
    severity: "MAJOR",
    lastUpdateStatus: "INVESTIGATING",
    services: [],
    incidentUpdates: [],
  };

  function randomAnswer(dice: Dice): Buffer {
    const status = dice.pick([200, 200, 201, 201, 204, 301, 400, 401, 404, 409, 422, 429, 500, 503, 999]);
    const content = dice.pick([
      () => Buffer.from(JSON.stringify(body)),
      () => mutate(dice, Buffer.from(JSON.stringify(body))),
      () => mutate(dice, dice.pick(fixtures)),
      () => randomBytes(dice, 500),
    ])();
    const head = `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${content.length}\r\n\r\n`;
    const whole = Buffer.concat([Buffer.from(head), content]);
    return dice.pick([() => whole, () => whole, () => mutate(dice, whole), () => randomBytes(dice, 600)])();
  }

  it("1 million chunks of one byte are read as one answer", { timeout: 0 }, async () => {
    const name = "x".repeat(1_000_000);
    const chunks = [...JSON.stringify({ ...body, name })]
      .map((character) => `1\r\n${character}\r\n`)
      .join("");
    const head = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    answer = Buffer.from(`${head}${chunks}0\r\n\r\n`);
    const { port } = server.address() as { port: number };
    const { exitCode, stdout } = await createWorld({
      env: { INCIDENT_CLI_BASE_URL: `http://127.0.0.1:${port}`, INCIDENT_CLI_API_KEY: access.apiKey },
      transport: createUndiciTransport({}),
    }).run(`get ${id} -o json --timeout 10m`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).name).toBe(name);
  });

  const lines = ["table", "json", "id", "markdown"].flatMap((format) => [
    `get ${id} -o ${format}`,
    `create -f x.yaml -o ${format} --settle-for 1s`,
  ]);

  /** Every documented code but 1: an internal fault. */
  const documented = [0, 2, 4, 5, 6, 7, 8, 9, 10, 12];

  function check(line: string, { exitCode, stdout, stderr }: Result, input: string): void {
    expect(documented, input).toContain(exitCode);
    expect(stderr, input).not.toContain("fault of incident");
    // Under -o json, stderr has JSON as well.
    if (!line.includes("-o json")) expect(stderr, input).not.toMatch(speaking);
    // stdout has results only.
    if (exitCode !== 0 && line.startsWith("get")) expect(stdout, input).toBe("");
    if (exitCode === 0 && line.includes("-o json")) expect(() => JSON.parse(stdout), input).not.toThrow();
    if (/-o (table|markdown)/.test(line)) expect(stdout, input).not.toMatch(speaking);
  }

  it("300 of them end in a documented exit code, with results alone on stdout", { timeout: 0 }, async () => {
    process.stdout.write(`random answers: seed ${seed}\n`);
    const dice = createDice(seed);
    const { port } = server.address() as { port: number };
    const env = { INCIDENT_CLI_BASE_URL: `http://127.0.0.1:${port}`, INCIDENT_CLI_API_KEY: access.apiKey };
    const codes = new Set<number>();
    for (let run = 0; run < 300; run += 1) {
      answer = randomAnswer(dice);
      const line = dice.pick(lines);
      const world: World = createWorld({
        env,
        transport: createUndiciTransport({}),
        // Without an id, nothing is read before the create.
        files: { "x.yaml": definitionYaml() },
      });
      const result = await world.run(line);
      const input = `seed ${seed}, run ${run}: ${line}\n${JSON.stringify(answer.toString("latin1"))}\n${result.screen}`;
      check(line, result, input);
      // A create that was sent is never called safe to run again, and a second one sends nothing new by itself.
      if (line.startsWith("create") && result.exitCode === 7)
        expect(result.screen, input).toMatch(/nothing was/);
      codes.add(result.exitCode);
    }
    expect([...codes].sort()).toEqual(expect.arrayContaining([0, 6, 8]));
  });
});
