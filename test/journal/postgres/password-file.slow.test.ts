// The password file of libpq, as the built command reads it for a server that asks for a password.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command, node } from "../../built/program.ts";
import { type PostgresCluster, startPostgres } from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";
import { temporaryRoot } from "../../harness/temporary-root.ts";

describe.skipIf(isMissing("initdb"))("a server that asks for a password", () => {
  let cluster: PostgresCluster;
  let home: string;
  beforeAll(async () => {
    cluster = await startPostgres();
    home = mkdtempSync(join(temporaryRoot, "home-"));
    cluster.sql("CREATE ROLE ann SUPERUSER LOGIN PASSWORD 'sa:fe'");
    const rules = join(cluster.folder, "data", "pg_hba.conf");
    writeFileSync(rules, `host all ann 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`);
    cluster.sql("SELECT pg_reload_conf()");
  });
  afterAll(() => {
    cluster?.remove();
    rmSync(home, { recursive: true, force: true });
  });

  async function init(env: Readonly<Record<string, string>> = {}) {
    const { exitCode, stdout, stderr } = await execa(node, [command, "journal", "init"], {
      env: { HOME: home, INCIDENT_CLI_JOURNAL: cluster.url("ann"), ...env },
      reject: false,
    });
    return { exitCode, stdout, stderr };
  }

  const done = () => ({
    exitCode: 0,
    stdout: `the tables of the journal exist in postgres://ann@127.0.0.1:${cluster.port}/postgres`,
    stderr: "",
  });
  const refused = (reason: string) => ({
    exitCode: 4,
    stdout: "",
    stderr: `error: the journal in the database postgres at 127.0.0.1:${cluster.port}, as ann cannot be used: the server asks for a password${reason}\n  next: check the user and the password`,
  });

  it("is refused without one", async () => {
    expect(await init()).toEqual(refused(""));
  });

  it("gets that of the file of its own name or of PGPASSFILE, unless others can read the file", async () => {
    const line = `*:*:*:bob:wrong\n127.0.0.1:${cluster.port}:postgres:ann:sa\\:fe\n`;
    const file = join(home, ".pgpass");
    writeFileSync(file, line, { mode: 0o600 });
    const named = join(home, "named");
    writeFileSync(named, line.replace("sa\\:fe", "wrong"), { mode: 0o600 });
    expect(await init()).toEqual(done());
    expect(await init({ PGPASSFILE: named })).toMatchObject({ exitCode: 4 });
    chmodSync(file, 0o644);
    expect(await init()).toEqual(
      refused(
        `: password file "${file}" has group or world access; permissions should be u=rw (0600) or less`,
      ),
    );
    expect(await init({ PGPASSWORD: "sa:fe" })).toEqual(done());
  });
});
