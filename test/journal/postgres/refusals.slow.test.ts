// The servers that the journal in PostgreSQL refuses before anything is sent, and that what it confirms survives a crash.
import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTables } from "../../../src/journal/postgres/sequences.ts";
import type { Sequence } from "../../../src/journal/sequence.ts";
import { openPostgresSequences, type PostgresCluster, startPostgres } from "../../harness/postgres.ts";
import { isMissing } from "../../harness/programs.ts";
import { createIdentities, type Identity } from "../../http/certificates.ts";
import { entryOf, name, writersOf } from "../conformance.ts";

/** Does `work` with a sequence, and closes its connection. */
async function withSequence<T>(url: string, work: (sequence: Sequence) => Promise<T>) {
  const { close, sequences } = openPostgresSequences(url);
  try {
    return await work(sequences.open(name));
  } finally {
    close();
  }
}

const append = (url: string, number = 0) =>
  withSequence(url, (sequence) => sequence.append(number, entryOf("a")));

const kindOf = (failure: { readonly kind?: string; readonly message: string; readonly hint?: string }) =>
  `${failure.kind}: ${failure.message}; ${failure.hint}`;

describe.skipIf(isMissing("initdb"))("PostgreSQL", () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await startPostgres();
  });
  afterAll(() => cluster?.remove());

  const refusal = (url: string) => append(url).then(String, kindOf);
  /** Messages name the server. */
  const said = (kind: string, user: string, problem: string, database = user) =>
    `${kind}: the journal in the database ${database} at 127.0.0.1:${cluster.port}, as ${user} cannot be used: ${problem}`;

  it.each([
    [
      "a table that a crash empties",
      `${createTables} ALTER TABLE incident_journal SET UNLOGGED`,
      "unavailable",
      "its table of the journal is lost in a crash: it is unlogged or temporary",
    ],
    [
      "a table without its primary key",
      `${createTables} ALTER TABLE incident_journal DROP CONSTRAINT incident_journal_pkey`,
      "usage",
      "there is no unique or exclusion constraint matching the ON CONFLICT specification; name a database",
    ],
  ])("is refused with %s", async (title, sql, kind, problem) => {
    const name = title.replace(/^a /, "").replaceAll(" ", "-");
    cluster.sql(`CREATE DATABASE "${name}"`);
    cluster.sql(sql, name);
    expect(await refusal(cluster.url("postgres", name))).toContain(said(kind, "postgres", problem, name));
  });

  it("is refused where the role may not write", async () => {
    cluster.sql(`${createTables} CREATE ROLE reader LOGIN; CREATE DATABASE reader OWNER postgres`);
    cluster.sql(`${createTables} GRANT SELECT ON incident_journal TO reader`, "reader");
    expect(await refusal(cluster.url("reader", "reader"))).toContain(
      said(
        "usage",
        "reader",
        "permission denied for table incident_journal; name a database of PostgreSQL 13 or later, run incident journal init there, and grant the role incident_append to this user",
      ),
    );
  });

  it("is refused with an unknown database or role", async () => {
    expect(await refusal(cluster.url("postgres", "none"))).toContain(
      said("usage", "postgres", 'database "none" does not exist', "none"),
    );
    expect(await refusal(cluster.url("nobody"))).toContain(
      said("credentials", "nobody", 'role "nobody" does not exist', "postgres"),
    );
  });

  it("keeps what it confirmed through a crash, although the server's default is not to wait for the disk", async () => {
    const url = cluster.url();
    cluster.sql(createTables);
    cluster.stop("fast");
    // Without the wait, a commit would stay in memory for 10 s.
    cluster.start(["synchronous_commit=off", "wal_writer_delay=10000"]);
    expect(await append(url)).toBe("ours");
    cluster.stop("immediate");
    cluster.start();
    expect(await withSequence(url, writersOf)).toEqual([0, "a"]);
  });

  it("is refused with fsync off", async () => {
    cluster.sql(createTables);
    cluster.stop("fast");
    cluster.start(["fsync=off"]);
    expect(await refusal(cluster.url())).toContain(
      said(
        "unavailable",
        "postgres",
        "it can lose commits in a crash: fsync is off; nothing was sent; check",
      ),
    );
    cluster.stop("fast");
    cluster.start();
  });

  it("is refused while it is a standby, for reads as well: they may be old", async () => {
    cluster.sql(createTables);
    cluster.stop("fast");
    fs.writeFileSync(join(cluster.folder, "data", "standby.signal"), "");
    cluster.start();
    const problem =
      "it is a standby, whose answers may be old; nothing was sent; check the server, which has to be the primary";
    const expected = said("unavailable", "postgres", problem);
    expect(await withSequence(cluster.url(), writersOf).then(String, kindOf)).toContain(expected);
    expect(await refusal(cluster.url())).toContain(expected);
    fs.rmSync(join(cluster.folder, "data", "standby.signal"));
    cluster.stop("fast");
    cluster.start();
  });

  describe("with TLS", () => {
    const url = (parameters: string) =>
      `postgres://postgres@localhost:${cluster.port}/postgres?${parameters}`;
    let root: string;
    let identities: Awaited<ReturnType<typeof createIdentities>>;
    beforeAll(async () => {
      identities = await createIdentities();
      root = join(cluster.folder, "root.crt");
      fs.writeFileSync(root, identities.authority.cert);
      cluster.sql(createTables);
    });

    function restartWith({ cert, key }: Identity): void {
      const place = (name: string, text: string) => {
        const file = join(cluster.folder, name);
        fs.writeFileSync(file, text, { mode: 0o600 });
        // The server takes no key of another user.
        if (process.getuid?.() === 0) fs.chownSync(file, 65_534, 65_534);
        return file;
      };
      cluster.stop("fast");
      cluster.start([
        "ssl=on",
        `ssl_cert_file=${place("server.crt", cert)}`,
        `ssl_key_file=${place("server.key", key)}`,
      ]);
    }

    const answer = (parameters: string) => append(url(parameters)).then(String, kindOf);
    const done = /^(ours|taken)$/;

    it("verifies the certificate", async () => {
      restartWith(identities.proxy);
      expect(await answer(`sslmode=verify-full&sslrootcert=${root}`)).toMatch(done);
      expect(await answer("sslmode=require")).toMatch(done);
      expect(await answer("sslmode=verify-full")).toMatch(
        /^unavailable: .*certificate.*; nothing was sent; .* sslmode and sslrootcert/,
      );
    });

    it("verifies the name in the certificate", async () => {
      restartWith(identities.wrongHost);
      expect(await answer("sslmode=require")).toMatch(done);
      for (const host of ["localhost", "127.0.0.1"]) {
        expect(await answer(`sslmode=verify-full&sslrootcert=${root}&host=${host}`)).toMatch(
          /^unavailable: .*Hostname\/IP does not match certificate's altnames/,
        );
      }
    });

    it("sends nothing to a server that offers no TLS", async () => {
      cluster.stop("fast");
      cluster.start();
      expect(await append(url("sslmode=require")).then(String, kindOf)).toMatch(
        /^unavailable: .*does not support SSL connections; nothing was sent; .* sslmode/,
      );
    });
  });
});
