import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { incidentsPath, serviceDocument } from "../../document/service-documents.ts";
import { answer, definitionYaml, numberedId } from "../../harness/builders.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const life = { sandbox: { onlySpec: false } };

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly created_at?: string;
  readonly lastUpdateStatus?: string;
  readonly severity?: string;
}

/** A service with these incidents, in pages of 100 with a cursor. */
function serviceWith(entries: readonly Entry[], pageSize = 100): Transport {
  return async ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    if (pathname === "/openapi.json") return answer(serviceDocument());
    if (pathname !== incidentsPath) {
      const found = entries.find(({ id }) => pathname.endsWith(id));
      return found ? answer(found) : answer({ statusCode: 404, error: "Not Found" }, 404);
    }
    const from = Number(searchParams.get("nextId") ?? 0);
    const end = from + pageSize;
    return answer({ entries: entries.slice(from, end), nextId: end < entries.length ? String(end) : null });
  };
}

const entry = (number: number, fields: Partial<Entry> = {}): Entry => ({
  id: numberedId(number),
  name: `Incident ${number}`,
  severity: "MAJOR",
  lastUpdateStatus: "INVESTIGATING",
  ...fields,
});
const days = [
  entry(3, { created_at: "2026-11-20", lastUpdateStatus: "MONITORING" }),
  entry(2, { created_at: "2026-11-18", severity: "MINOR" }),
  entry(1, { created_at: "2026-10-01", lastUpdateStatus: "RESOLVED" }),
];
const numbersIn = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((id) => Number(id.slice(-3)));

describe("list", () => {
  it("shows the incidents of the service, the newest first", async () => {
    const { exitCode, stdout } = await incident("list", { transport: serviceWith(days) });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `ID                                    STATUS           SEVERITY  NAME
${numberedId(3)}  ○ MONITORING     ▲ MAJOR   Incident 3
${numberedId(2)}  ● INVESTIGATING  ▽ MINOR   Incident 2
${numberedId(1)}  ✔ RESOLVED       ▲ MAJOR   Incident 1
`,
    );
  });

  it.each<[string, number[]]>([
    ["", [3, 2, 1]],
    ["--open", [3, 2]],
    ["--status monitoring", [3]],
    ["--severity major", [3, 1]],
    ["--since 7d", [3, 2]],
    ["--since -7d", [3, 2]],
    ["--since 2026-09-01 --limit 2", [3, 2]],
    ["--open --severity major --since 2026-11-19", [3]],
  ])("with %s shows those that match", async (flags, numbers) => {
    for (const entries of [days, days.toReversed()]) {
      const { stdout } = await incident(`list ${flags} -o id`, { transport: serviceWith(entries, 2) });
      expect(numbersIn(stdout)).toEqual(numbers);
    }
  });

  it("counts an incident without a status as open, and says that it is unknown", async () => {
    const { lastUpdateStatus: _, ...unknown } = entry(1);
    const { stdout } = await incident("list --open", { transport: serviceWith([unknown]) });
    expect(stdout).toContain("? unknown");
  });

  const many = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      entry(at, { created_at: `2026-${String(11 - Math.floor(at / 100)).padStart(2, "0")}-01` }),
    );

  it("reads no more pages than it needs", async () => {
    const { requests } = await incident("list --limit 150 -o id", { transport: serviceWith(many(400)) });
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      "",
      "?limit=100",
      "?limit=100&nextId=100",
    ]);
  });

  it("reads on where the incidents have no order, so that the newest are shown", async () => {
    const [newest, , oldest] = days as [Entry, Entry, Entry];
    const unordered = [
      newest,
      oldest,
      entry(2, { created_at: "2026-11-18" }),
      entry(4, { created_at: "2026-11-21" }),
    ];
    const { stdout } = await incident("list --limit 2 -o id", { transport: serviceWith(unordered, 3) });
    expect(numbersIn(stdout)).toEqual([4, 3]);
  });

  it.each([
    ["--limit 2", "2026-01-01", "2026-01-01"],
    ["--since 7d", "2026-01-02", "2026-01-01"],
  ])(
    "reads on with %s, as neither equal dates nor those of one page show an order",
    async (flag, ...dates) => {
      const old = dates.map((created_at, at) => entry(at, { created_at }));
      const service = serviceWith([...old, entry(4, { created_at: "2026-11-18" })], 2);
      const { stdout } = await incident(`list ${flag} -o id`, { transport: service });
      expect(numbersIn(stdout)[0]).toBe(4);
    },
  );

  it("says that there may be newer ones where a list with the oldest first is read to the bound", async () => {
    const { stderr } = await incident("list --limit 3", { transport: serviceWith(many(1100).toReversed()) });
    expect(stderr).toContain("the newest 3; --limit shows more\n");
    expect(stderr).toContain("warning: the service may have more: 1,000 were read\n");
  });

  it("reads 1,000 incidents in ten requests, and says that there may be more", async () => {
    const { requests, stderr, stdout } = await incident("list --status resolved --limit 1000 -o id", {
      transport: serviceWith(many(1100)),
    });
    expect([requests.length - 1, stdout]).toEqual([10, ""]);
    expect(stderr).toContain("warning: the service may have more: 1,000 were read\n");
  });

  it.each([404, 503])("shows what was read where the next page answers %d", async (status) => {
    const service = serviceWith(days, 2);
    const transport: Transport = async (request, control) =>
      request.url.includes("nextId=2")
        ? answer({ statusCode: status, error: "no page" }, status)
        : service(request, control);
    const { exitCode, stderr, stdout } = await incident("list -o id", { transport });
    expect({ exitCode, numbers: numbersIn(stdout) }).toEqual({ exitCode: 0, numbers: [3, 2] });
    expect(stderr).toContain("warning: the next page could not be read: ");
    expect(stderr).toContain("warning: the service may have more: 2 were read\n");
  });
});

it.each([
  [120, true, false],
  [80, true, true],
  [80, false, false],
])(
  "in %i columns, at a terminal: %s, the name is on a line of its own: %s",
  async (columns, stdout, isBelow) => {
    const transport = serviceWith([entry(1, { name: "Checkout fails for some customers" })]);
    const terminal = { stdin: true, stdout, stderr: true, columns };
    const run = await incident("list --no-color", { transport, terminal });
    const row = `${numberedId(1)}  ● INVESTIGATING  ▲ MAJOR   Checkout fails for some customers`;
    const heading = "ID                                    STATUS           SEVERITY  NAME";
    expect(run.stdout).toBe(`${heading}\n${isBelow ? row.replace(/ +Checkout/, "\n  Checkout") : row}\n`);
  },
);

describe("what the document says", () => {
  const unreadable: Transport = async (request, control) =>
    request.url.endsWith("/openapi.json")
      ? answer({ statusCode: 503, error: "Service Unavailable" }, 503)
      : serviceWith(days)(request, control);
  const documentReads = (requests: readonly { url: string }[]) =>
    requests.filter(({ url }) => url.endsWith("/openapi.json")).length;

  it.each(["list", "services import"])(
    "of a wrong base URL is named by %s, with no flag of another command",
    async (line) => {
      const env = { INCIDENT_CLI_BASE_URL: "http://127.0.0.1:1/status" };
      const transport: Transport = async () => answer({ title: "not here" }, 404);
      const { exitCode, stderr } = await incident(line, { env, transport, files: { ".incident.yaml": "" } });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 7 });
      expect(stderr).toContain("check the base URL from INCIDENT_CLI_BASE_URL: http://127.0.0.1:1/status");
      expect(stderr.replaceAll("incident contract pull --from", "")).not.toContain("--from");
    },
  );

  it("is read once a day", async () => {
    const world = createWorld({ transport: serviceWith(days) });
    const reads = async () => documentReads((await world.run("list -o id")).requests);
    expect([await reads(), await reads()]).toEqual([1, 0]);
    world.clock.advance(25 * 3_600_000);
    expect([await reads(), await reads()]).toEqual([1, 0]);
  });

  it("that cannot be read is exit 7, is not kept, and is not taken for a missing list", async () => {
    const world = createWorld({ transport: unreadable });
    for (const _ of [1, 2]) {
      const { exitCode, requests, stderr } = await world.run("list");
      expect([exitCode, documentReads(requests)]).toEqual([7, 1]);
      expect(stderr).toContain(
        "error: whether the service describes the list of incidents is not known: http://127.0.0.1:1/openapi.json: the service failed (503",
      );
    }
  });

  it("that is late is saved by a pull, which waits longer", async () => {
    const late = { phase: "unanswered", reason: "timeout", detail: "no answer within 3 s" } as const;
    const transport: Transport = async (request, control) =>
      request.url.endsWith("/openapi.json") ? late : serviceWith(days)(request, control);
    const { stderr } = await incident("list --timeout 20s", { transport });
    const next = "next: run it again, or save it once: incident contract pull --timeout 2m";
    expect(stderr).toContain(`127.0.0.1:1 did not answer: no answer within 3 s\n  ${next}\n`);
  });

  it("that is no document of the service can be named as a file", async () => {
    const transport: Transport = async () => answer("<html>");
    const { exitCode, stderr } = await incident("list", { transport });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 7 });
    expect(stderr).toContain("and name its file: incident contract pull --from FILE\n");
  });

  it("is used for a day, and then not where it cannot be read again", async () => {
    const world = createWorld({ transport: serviceWith(days) });
    await world.run("list");
    world.clock.advance(48 * 3_600_000);
    expect((await world.run("list -o id", { transport: unreadable })).exitCode).toBe(7);
  });

  it("of a saved contract is used without a request for the document", async () => {
    const world = createWorld({
      transport: serviceWith(days),
      files: { "doc.json": JSON.stringify(serviceDocument()) },
    });
    await world.run("contract pull --from doc.json");
    expect(documentReads((await world.run("list")).requests)).toBe(0);
    expect(documentReads((await world.run("list --no-project")).requests)).toBe(1);
  });

  it("is read once for a first create, and delays no get", async () => {
    const world = createWorld({ ...life, files: { "a.yaml": definitionYaml({ id: numberedId(1) }) } });
    const created = await world.run("create -f a.yaml");
    const again = await world.run("create -f a.yaml");
    const read = await world.run(`get ${numberedId(1)}`);
    expect([created, again, read].map(({ requests }) => documentReads(requests))).toEqual([1, 0, 0]);
  });
});
