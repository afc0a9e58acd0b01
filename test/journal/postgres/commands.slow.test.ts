// The commands on a journal in PostgreSQL. What machines do that share one is in git/journal.slow.test.ts.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { type PostgresCluster, startPostgres } from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";

describe.skipIf(isMissing("initdb"))("a journal in PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster?.remove());

  const plain = (text: string) => text.replaceAll(String(cluster.port), "PORT");

  it("is made once, by all that begin together", async () => {
    const world = createWorld({ env: { INCIDENT_CLI_JOURNAL: cluster.url() } });
    const all = [1, 2, 3, 4].map(() => world.run("journal init"));
    for (const { exitCode, screen } of await Promise.all(all)) {
      expect({ exitCode, screen: plain(screen) }).toEqual({
        exitCode: 0,
        screen: "the tables of the journal exist in postgres://postgres@127.0.0.1:PORT/postgres\n",
      });
    }
  });

  it("is not made a second time in the schema of one user, who may not read the table", async () => {
    cluster.sql("CREATE DATABASE shared");
    cluster.sql("CREATE ROLE second LOGIN; CREATE SCHEMA second AUTHORIZATION second", "shared");
    for (const [user, code] of Object.entries({ postgres: 0, second: 2 })) {
      const env = { INCIDENT_CLI_JOURNAL: cluster.url(user, "shared") };
      expect((await createWorld({ env }).run("journal init")).exitCode).toBe(code);
    }
    const tables = "SELECT schemaname FROM pg_tables WHERE tablename = 'incident_journal'";
    expect(cluster.sql(tables, "shared")).toBe("public");
  });

  it("sends nothing while it cannot be reached, and a local journal is one setting away", async () => {
    const env = { INCIDENT_CLI_JOURNAL: "postgres://postgres@127.0.0.1:1/postgres" };
    const world = createWorld({ files: { "a.yaml": definitionYaml({ id }) }, env });
    const down = await world.run("create -f a.yaml");
    expect({ ...down, stderr: plain(down.stderr) }).toMatchObject({ exitCode: 7, stdout: "", requests: [] });
    expect(down.stderr).toContain("cannot be used: connect ECONNREFUSED 127.0.0.1:1");
    expect(down.stderr).toContain("nothing was sent");
    const local = { env: { INCIDENT_CLI_JOURNAL: "folder" } };
    expect((await world.run("create -f a.yaml", local)).exitCode).toBe(0);
  });

  it("is checked by doctor: reachable, with its table, and writable", async () => {
    const check = async (journal: string) => {
      const { exitCode, stdout } = await createWorld({ env: { INCIDENT_CLI_JOURNAL: journal } }).run(
        "doctor",
      );
      const line = /^\S+ +journal .*/m.exec(plain(stdout))?.[0];
      return `${exitCode}: ${line?.replaceAll(/ +/g, " ")}`;
    };
    const place = (database: string) => `the database ${database} at 127.0.0.1:PORT, as postgres`;
    cluster.sql("CREATE DATABASE checked");
    const url = cluster.url("postgres", "checked");
    expect(await check(url)).toBe(
      `2: wrong journal the journal in ${place("checked")} cannot be used: relation "incident_journal" does not exist; name a database of PostgreSQL 13 or later, run incident journal init there, and grant the role incident_append to this user`,
    );
    await createWorld({ env: { INCIDENT_CLI_JOURNAL: url } }).run("journal init");
    expect(await check(url)).toBe(
      "0: ok journal postgres://postgres@127.0.0.1:PORT/checked (INCIDENT_CLI_JOURNAL) can be written",
    );
    cluster.sql('ALTER DATABASE "checked" SET default_transaction_read_only = on');
    expect(await check(url)).toContain(
      `7: wrong journal the journal in ${place("checked")} cannot be used: cannot execute INSERT in a read-only transaction; nothing was sent; check the server, which has to be the primary`,
    );
    expect(await check("postgres://postgres@127.0.0.1:1/postgres")).toContain(
      "7: wrong journal the journal in the database postgres at 127.0.0.1:1, as postgres cannot be used: connect ECONNREFUSED 127.0.0.1:1; nothing was sent; check the server, which has to be the primary",
    );
  });

  it("is kept by a role that can only read and append, and doctor tells whether it shares the rate limit", async () => {
    cluster.sql("CREATE DATABASE fleet");
    const owner = createWorld({ env: { INCIDENT_CLI_JOURNAL: cluster.url("postgres", "fleet") } });
    // Run again, it changes nothing.
    for (const _ of [1, 2]) expect((await owner.run("journal init")).exitCode).toBe(0);
    cluster.sql("CREATE ROLE runner LOGIN IN ROLE incident_append");
    const world = createWorld({
      files: { "a.yaml": definitionYaml({ id }) },
      env: { INCIDENT_CLI_JOURNAL: cluster.url("runner", "fleet") },
    });
    expect((await world.run("create -f a.yaml -o id")).stdout).toBe(`${id}\n`);
    const check = async () => {
      const { exitCode, stdout } = await world.run("doctor");
      const lines = stdout.split("\n").filter((line) => / journal /.test(line));
      return [exitCode, ...lines.map((line) => plain(line).replaceAll(/ +/g, " "))];
    };
    const journal = [
      "ok journal postgres://runner@127.0.0.1:PORT/fleet (INCIDENT_CLI_JOURNAL) can be written",
      "ok journal 1 create, none with an unknown outcome",
    ];
    for (const _ of [1, 2]) expect(await check()).toEqual([0, ...journal]);
  });

  it("is made without the roles by a user who may make none", async () => {
    cluster.sql("CREATE ROLE plain LOGIN");
    cluster.sql("CREATE DATABASE plain OWNER plain");
    const env = { INCIDENT_CLI_JOURNAL: cluster.url("plain", "plain") };
    const world = createWorld({ files: { "a.yaml": definitionYaml({ id }) }, env });
    expect(await world.run("journal init")).toMatchObject({ exitCode: 0 });
    expect((await world.run("create -f a.yaml -o id")).stdout).toBe(`${id}\n`);
  });

  it("shows its password nowhere, wherever that comes from", async () => {
    const canary = "CANARY/4f9e+8d7c6b5a49382716";
    cluster.sql("CREATE DATABASE empty");
    cluster.sql(`CREATE ROLE secret LOGIN PASSWORD '${canary}'`);
    const url = cluster.url("secret", "empty");
    const ways: readonly Record<string, string>[] = [
      { INCIDENT_CLI_JOURNAL: url.replace("secret@", `secret:${encodeURIComponent(canary)}@`) },
      { INCIDENT_CLI_JOURNAL: url, PGPASSWORD: canary },
      { INCIDENT_CLI_JOURNAL: `${url}?password=${encodeURIComponent(canary)}` },
    ];
    const lines = [
      "create -f a.yaml",
      "journal list",
      "journal init",
      "doctor",
      "config show",
      "apply -f a.yaml",
    ];
    for (const env of ways) {
      const world = createWorld({ files: { "a.yaml": definitionYaml({ id }) }, env });
      for (const line of lines) {
        for (const style of ["", " --debug", " -o json"]) {
          const { screen } = await world.run(line + style);
          expect(screen, `${line}${style}`).not.toMatch(/CANARY|8d7c6b5a/);
        }
      }
    }
  });
});
