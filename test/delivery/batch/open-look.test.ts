// Before a first create: the look at the service's list, at services that keep the ids of clients and
// that replace them. Each machine has an empty disk and no shared journal.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, terminal } from "../../harness/builders.ts";
import { answering, rewriting } from "../../harness/changed-service.ts";
import { createWorld } from "../../harness/incident.ts";
import { type LifeService, type OpenLifeService, servicesInTurn } from "../../service/life/life-services.ts";
import { refusal } from "../services-by-hand.ts";

const more =
  "[{ description: We look., status: INVESTIGATING }, { description: Cause., status: IDENTIFIED }]";
const first = "[{ description: We look., status: INVESTIGATING }]";
const loud = "[{ description: We look., status: INVESTIGATING, notifySubscribers: true }]";
const otherId = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
const files = {
  "x.yaml": definitionYaml({ id: incidentId, incidentUpdates: first }),
  "same.yaml": definitionYaml({ id: otherId, incidentUpdates: first }),
  "plain.yaml": definitionYaml({ incidentUpdates: first }),
  "spaced.yaml": definitionYaml({
    incidentUpdates: '[{ description: "  We\\n look. ", status: INVESTIGATING }]',
  }),
  "more.yaml": definitionYaml({ incidentUpdates: more }),
  "loud.yaml": definitionYaml({ incidentUpdates: loud }),
  "severe.yaml": definitionYaml({ severity: "CRITICAL", incidentUpdates: first }),
  "reworded.yaml": definitionYaml({ incidentUpdates: "[{ description: It fails., status: INVESTIGATING }]" }),
  "given-id.yaml": definitionYaml({ id: otherId, severity: "CRITICAL", incidentUpdates: first }),
  "renamed.yaml": definitionYaml({ name: "Refunds fail", incidentUpdates: first }),
  "another.yaml": definitionYaml({
    name: "Refunds fail",
    incidentUpdates: "[{ description: It fails., status: INVESTIGATING }]",
  }),
  "four.yaml": ["A", "B", "C", "D"].map((name) => definitionYaml({ name })).join("---\n"),
};

let machines = 0;

/** A machine with an empty disk. */
function machineAt({ env, transport }: LifeService) {
  machines += 1;
  return createWorld({ env, transport, files, idsElsewhere: 100 * machines });
}

/** A service with an open incident that another machine than that of `world` has declared. */
async function start(open: OpenLifeService, ids: "kept" | "replaced") {
  const service = await open({ ids });
  const { stdout } = await machineAt(service).run("create plain.yaml -o id");
  return { service, declared: stdout.trim(), world: machineAt(service) };
}

const posts = ({ requests }: LifeService) =>
  requests.filter(({ operation }) => operation === "create").length;

describe.each(servicesInTurn("replaced"))(
  "at %s with ids %s, a create from an empty disk",
  (_name, ids, open) => {
    it.each(["plain.yaml", "spaced.yaml", "x.yaml", "plain.yaml --key night"])(
      "is answered with the open incident of the same content (%s)",
      async (line) => {
        const { declared, service, world } = await start(open, ids);
        const { exitCode, stdout } = await world.run(`create ${line} -o json`);
        const incident = JSON.parse(stdout);
        expect({ exitCode, id: incident.id, how: incident.how, posts: posts(service) }).toEqual({
          exitCode: 0,
          id: declared,
          how: "open",
          posts: 1,
        });
        const again = await world.run(`create ${line} -o id`);
        expect(again).toMatchObject({ exitCode: 0, stdout: `${declared}\n` });
        expect(service.incidents()).toHaveLength(1);
      },
    );
  },
);

describe.each(servicesInTurn("kept"))(
  "at %s with ids %s, a create from an empty disk",
  (_name, ids, open) => {
    it("is answered by apply too, on runners that keep nothing", async () => {
      const { declared, service } = await start(open, ids);
      for (const file of ["x.yaml", "x.yaml"]) {
        const { exitCode, stdout } = await machineAt(service).run(`apply -f ${file} --yes -o json`);
        expect(exitCode).toBe(0);
        expect(stdout).toContain(declared);
      }
      expect(service.incidents()).toHaveLength(1);
    });

    it("is the one that a file has by its own id, for a create without an id", async () => {
      const { declared, service, world } = await start(open, ids);
      const stdin = `id: ${declared}\n${files["plain.yaml"]}`;
      expect((await world.run("apply -f - --yes", { stdin })).exitCode).toBe(0);
      expect((await world.run("create plain.yaml -o id")).stdout.trim()).toBe(declared);
      expect(service.incidents()).toHaveLength(1);
    });

    it("is the open one of two equal ones from here, once the newest is over", async () => {
      const service = await open({ ids });
      const world = machineAt(service);
      const { stdout: declared } = await world.run("create plain.yaml -o id");
      const { stdout: newest } = await world.run("create plain.yaml --new -o id");
      await service.addUpdate(newest.trim(), { status: "RESOLVED", description: "It was the same." });
      expect((await world.run("create plain.yaml -o id")).stdout).toBe(declared);
      expect(service.incidents()).toHaveLength(2);
    });

    it.each(["x.yaml plain.yaml", "plain.yaml x.yaml"])(
      "declares two incidents where one of two files of the same content has an id (%s)",
      async (line) => {
        const service = await open({ ids });
        const { exitCode } = await machineAt(service).run(`create ${line}`);
        expect([exitCode, posts(service)]).toEqual([0, 2]);
      },
    );

    it("declares both where the service answers a create with another letter case", async () => {
      const service = await open({ ids });
      const transport = rewriting(service, (text, { method }) =>
        method === "POST" ? text.replace(/(?<="id":")[^"]*/g, (id) => id.toUpperCase()) : undefined,
      );
      const { exitCode } = await machineAt({ ...service, transport }).run("create plain.yaml x.yaml");
      expect([exitCode, posts(service)]).toEqual([0, 2]);
    });

    it("records it for one id: a second id with the same content is another incident", async () => {
      const { declared, service, world } = await start(open, ids);
      expect((await world.run("create x.yaml -o id")).stdout).toBe(`${declared}\n`);
      const { stdout } = await world.run("create same.yaml -o id");
      expect(stdout.trim()).not.toBe(declared);
      expect(service.incidents()).toHaveLength(2);
    });

    it.each(["create x.yaml -o id", "create plain.yaml --key night -o id", "apply x.yaml"])(
      "gives the incident of a create without an id to %s, once",
      async (line) => {
        const service = await open({ ids });
        const world = machineAt(service);
        const { stdout: declared } = await world.run("create plain.yaml -o id");
        const named = await world.run(line);
        expect(named, named.stderr).toMatchObject({ exitCode: 0 });
        expect(`${named.stdout}${named.stderr}`).toContain(line.startsWith("apply") ? "unchanged" : declared);
        expect(service.incidents()).toHaveLength(1);
        expect((await world.run("create plain.yaml -o id")).stdout).toBe(declared);
        expect((await world.run("create same.yaml -o id")).stdout).not.toBe(declared);
        expect(service.incidents()).toHaveLength(2);
      },
    );

    it("counts the creates of one command", async () => {
      const { declared, service } = await start(open, ids);
      const { exitCode, stdout } = await machineAt(service).run("create plain.yaml spaced.yaml -o id");
      const [one, other] = stdout.trim().split("\n");
      expect([exitCode, one, other !== declared]).toEqual([0, declared, true]);
      expect(service.incidents()).toHaveLength(2);
    });

    it("declares another one where that is resolved", async () => {
      const { declared, service } = await start(open, ids);
      await service.addUpdate(declared, { status: "RESOLVED", description: "Over." });
      expect((await machineAt(service).run("create plain.yaml")).exitCode).toBe(0);
      expect(service.incidents()).toHaveLength(2);
    });

    const notOfDocument = ({ url }: { readonly url: string }) => !url.endsWith("/openapi.json");
    const isCreate = ({ method }: { readonly method: string }) => method === "POST";
    it.each([
      ["is answered", [], "plain.yaml", notOfDocument, "still open", 1],
      ["is answered where ids are known", ["another.yaml"], "plain.yaml", notOfDocument, "still open", 2],
      ["warns of one that is like it", [], "severe.yaml", isCreate, "with the same name", 2],
    ] as const)("%s after a refusal too", async (_, before, file, isRefused, said, count) => {
      const service = await open({ ids });
      const world = machineAt(service);
      for (const other of before) await world.run(`create ${other}`);
      const transport = answering(service, (request) => (isRefused(request) ? refusal(403) : undefined));
      expect((await world.run(`create ${file}`, { transport })).exitCode).toBe(4);
      await machineAt(service).run("create plain.yaml");
      const { exitCode, stderr } = await world.run(`create ${file}`);
      expect(exitCode).toBe(0);
      expect(stderr).toContain(said);
      expect(service.incidents()).toHaveLength(count);
    });

    it.each(["--new", "--dedup-key night"])("does not look with %s", async (flag) => {
      const { service } = await start(open, ids);
      expect((await machineAt(service).run(`create plain.yaml ${flag}`)).exitCode).toBe(0);
      expect(service.incidents()).toHaveLength(2);
    });

    it("is refused where it would notify, and the open incident did not", async () => {
      const { declared, service } = await start(open, ids);
      for (const file of ["loud.yaml", "loud.yaml --key night"]) {
        const { exitCode, stderr } = await machineAt(service).run(`create ${file}`);
        expect(exitCode).toBe(6);
        expect(stderr).toContain(`incident update ${declared} --message - --notify`);
      }
      expect(service.incidents()).toHaveLength(1);
    });

    it("posts no other update of the file, and says how", async () => {
      const { declared, service } = await start(open, ids);
      const { exitCode, stderr } = await machineAt(service).run("create more.yaml");
      expect(exitCode).toBe(0);
      expect(stderr).toContain(`incident update ${declared} posts one`);
      expect(service.incidents()[0]?.incidentUpdates).toHaveLength(1);
    });

    it.each([
      ["severe.yaml", "name"],
      ["reworded.yaml", "name"],
      ["renamed.yaml", "first text"],
    ])("warns of one with other content, and declares it (%s)", async (file, same) => {
      const { declared, service } = await start(open, ids);
      const { exitCode, stderr } = await machineAt(service).run(`create ${file}`);
      expect(exitCode).toBe(0);
      expect(stderr).toContain(
        `warning: an incident with the same ${same} is open: ${declared} (INVESTIGATING); this declares another, and incident update ${declared} changes the one that is open\n`,
      );
      expect(service.incidents()).toHaveLength(2);
    });

    it("names in a dry run the open incident that is the answer, and shows no request", async () => {
      const { declared, service } = await start(open, ids);
      const dry = await machineAt(service).run("create plain.yaml --dry-run");
      expect(dry, dry.stderr).toMatchObject({ exitCode: 0, stdout: "" });
      expect(dry.stderr).toContain(`still open ${declared}`);
      expect(dry.stderr).not.toContain("--confirm");
      const other = await machineAt(service).run("create severe.yaml --dry-run");
      expect(other.stderr).toContain(
        `warning: an incident with the same name is open: ${declared} (INVESTIGATING)`,
      );
      const loud = await machineAt(service).run("create loud.yaml --dry-run");
      expect(loud.exitCode, loud.stderr).toBe(6);
      const given = await machineAt(service).run("apply given-id.yaml --dry-run");
      expect(given.stderr).toContain(
        `warning: an incident with the same name is open: ${declared} (INVESTIGATING)`,
      );
      const another = await machineAt(service).run("create plain.yaml --new --dry-run");
      expect(another.stdout).toContain("POST");
      expect(service.incidents()).toHaveLength(1);
      // A plan warns, and what is sent after it does not warn again.
      const applied = await machineAt(service).run("apply given-id.yaml", { terminal, answers: ["y"] });
      expect(applied.screen.match(/this\s+declares\s+another/g)).toHaveLength(1);
    });

    it("is declared once beside another one by two runs at the same time", async () => {
      const { service, world } = await start(open, ids);
      const both = await Promise.all([world.run("create severe.yaml"), world.run("create severe.yaml")]);
      expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
      const declaring = both.filter(
        ({ stderr }) => stderr.includes("\ndeclared ") || stderr.startsWith("declared "),
      );
      expect(declaring).toHaveLength(1);
      expect(declaring.map(({ stderr }) => stderr.includes("this declares another"))).toEqual([true]);
      expect(service.incidents()).toHaveLength(2);
    });

    it("warns once of several with other content, also where a limiter refuses the first request", async () => {
      const { service } = await start(open, ids);
      await machineAt(service).run("create severe.yaml");
      let isLimited = true;
      const transport = answering(service, (request) => {
        if (!isCreate(request) || !isLimited) return undefined;
        isLimited = false;
        return refusal(429);
      });
      const { exitCode, stderr } = await machineAt({ ...service, transport }).run("create reworded.yaml");
      expect(exitCode).toBe(0);
      const warnings = stderr.split("\n").filter((line) => line.includes("is open"));
      expect(warnings).toEqual([expect.stringContaining("; this declares another, ")]);
      expect(service.incidents()).toHaveLength(3);
    });

    it("asks about it at a terminal, and sends nothing without a yes", async () => {
      const { service, world } = await start(open, ids);
      const declined = await world.run("create severe.yaml", { terminal, answers: ["n"] });
      expect({ exitCode: declined.exitCode, posts: posts(service) }).toEqual({ exitCode: 130, posts: 1 });
      expect(declined.screen.replace(/\s+/g, " ")).toContain("Declare another incident? [y/N]");
      const accepted = await world.run("create severe.yaml", { terminal, answers: ["y"] });
      expect({ exitCode: accepted.exitCode, posts: posts(service) }).toEqual({ exitCode: 0, posts: 2 });
    });

    it.each([
      [0, 1],
      [10_000, 2],
    ])(
      "looks for all definitions of a command as often as they take 10 s: %i ms each, %i",
      async (ms, looks) => {
        const service = await open({ ids });
        const world = machineAt(service);
        service.before((operation) => void (operation === "create" && world.clock.advance(ms)));
        const lists = () => service.requests.filter(({ operation }) => operation === "list").length;
        const before = lists();
        expect((await world.run("create four.yaml")).exitCode).toBe(0);
        expect(lists() - before).toBe(looks);
      },
    );

    it("says nothing of one with another name and another first text", async () => {
      const { service } = await start(open, ids);
      const { exitCode, stderr } = await machineAt(service).run("create another.yaml");
      expect(exitCode).toBe(0);
      expect(stderr).not.toContain("is open");
    });

    it("is sent with a warning where the list cannot be read, which is read again for the next one", async () => {
      const { declared, service, world } = await start(open, ids);
      service.before((operation) => {
        if (operation === "list" && service.incidents().length === 1) service.loseRequest("list");
      });
      const { exitCode, stderr } = await world.run("create another.yaml plain.yaml");
      expect(exitCode).toBe(0);
      expect(stderr).toContain(
        "warning: no equal incident could be looked for, so one may be open already: ",
      );
      expect(stderr).toContain(`still open ${declared}`);
      expect(service.incidents()).toHaveLength(2);
    });

    it.each([
      ["plain.yaml", "no equal incident could be looked for, so one may be open already"],
      ["plain.yaml --key night", "no equal incident could be looked for, so one may be open already"],
      ["plain.yaml --new", "a lost answer could not be found by its content"],
      ["plain.yaml --dedup-key night", "a lost answer could not be found by its content"],
    ])("goes on with one warning where the document cannot be read (%s)", async (line, warning) => {
      const service = await open({ ids });
      const world = machineAt(service);
      const { exitCode, stderr } = await world.run(`create ${line}`, {
        transport: answering(service, ({ url }) =>
          url.endsWith("/openapi.json") ? refusal(503) : undefined,
        ),
      });
      expect(exitCode).toBe(0);
      expect(stderr.match(/openapi\.json: the service failed \(503/g)).toHaveLength(1);
      expect(stderr).toContain(`warning: ${warning}: `);
      expect(service.incidents()).toHaveLength(1);
    });
  },
);

it("a create is declared beside an incident whose texts are objects", async () => {
  const open = servicesInTurn("replaced")[0]?.[2] as OpenLifeService;
  const { service } = await start(open, "replaced");
  const odd = JSON.stringify({ toString: 1 });
  let isOdd = false;
  const transport = rewriting(service, (text) => {
    const written = text.replaceAll('"Checkout fails"', odd).replaceAll('"We look."', odd);
    isOdd ||= written !== text;
    return written;
  });
  const { exitCode } = await machineAt({ ...service, transport }).run("create another.yaml");
  expect({ exitCode, isOdd }).toEqual({ exitCode: 0, isOdd: true });
});
