// How a URL and the PG* variables become a server.
import * as fs from "node:fs";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveServer } from "../../../src/journal/postgres/server.ts";

const folder = mkdtempSync(join(tmpdir(), "server-"));

function resolve(url: string, env: Readonly<Record<string, string>> = {}) {
  return resolveServer({ files: fs, system: { env } }, url);
}

const verified = { rejectUnauthorized: true };
const encrypted = { rejectUnauthorized: false };

it.each<[string, Record<string, string>, object]>([
  [
    "postgres://ann:s%40fe@db.example:6432/ops",
    {},
    { host: "db.example", port: 6432, user: "ann", password: "s@fe", database: "ops", tls: verified },
  ],
  ["postgresql://ann@db.example", {}, { port: 5432, database: "ann", password: undefined }],
  // Every part may come from the variables of libpq, and what the URL says wins.
  [
    "postgres:",
    { PGHOST: "db.example", PGPORT: "6432", PGUSER: "ann", PGPASSWORD: "safe", PGDATABASE: "ops" },
    { host: "db.example", port: 6432, user: "ann", password: "safe", database: "ops" },
  ],
  [
    "postgres://ann@one.example",
    { PGHOST: "two.example", PGUSER: "bob" },
    { host: "one.example", user: "ann" },
  ],
  ["postgres://ann@one.example?host=two.example", {}, { host: "two.example" }],
  ["postgres://localhost", { USER: "ann" }, { user: "ann", tls: undefined }],
  // Only this machine's own addresses need no TLS.
  ["postgres://ann@127.0.0.1", {}, { tls: undefined }],
  ["postgres://ann@[::1]:6432", {}, { host: "::1", tls: undefined }],
  ["postgres://ann@%2Frun%2Fpostgresql/ops", {}, { host: "/run/postgresql", tls: undefined }],
  ["postgres:///ops?host=/run/postgresql&user=ann", {}, { host: "/run/postgresql", database: "ops" }],
  ["postgres://ann@[2001:db8::1]", {}, { host: "2001:db8::1", tls: verified }],
  ["postgres://ann@localhost.example", {}, { tls: verified }],
  // The modes of libpq.
  ["postgres://ann@db.example?sslmode=disable", {}, { tls: undefined }],
  ["postgres://ann@db.example?sslmode=require", {}, { tls: encrypted }],
  [
    "postgres://ann@db.example?sslmode=verify-ca",
    {},
    { tls: { ...verified, checkServerIdentity: expect.any(Function) } },
  ],
  ["postgres://ann@127.0.0.1?sslmode=verify-full", {}, { tls: verified }],
  ["postgres://ann@db.example", { PGSSLMODE: "disable" }, { tls: undefined }],
  ["postgres://ann@db.example?connect_timeout=3&application_name=ci", {}, { connectTimeout: 10_000 }],
  ["postgres://ann@db.example?channel_binding=require", {}, { tls: verified }],
  ["postgres://ann@db.example", {}, { scope: "default" }],
  ["postgres://ann@db.example?scope=staging", {}, { scope: "staging" }],
])("resolves %s", (url, env, expected) => {
  expect(resolve(url, env)).toMatchObject(expected);
});

it.each([
  ["postgres://db.example", "it names no user"],
  ["postgres://ann@a.example,b.example/ops", "it names several hosts"],
  ["postgres://ann@db.example?host=a.example,b.example", "it names several hosts"],
  ["postgres://ann@db.example?port=none", "its port is not a number"],
  ["postgres://ann@db.example?sslmode=prefer", "its sslmode does not say whether to encrypt"],
  ["postgres://ann@db.example?sslmode=allow", "its sslmode does not say whether to encrypt"],
  ["postgres://ann@db.example?sslmode=on", "its sslmode does not say whether to encrypt"],
  ["postgres://ann@db.example?sslrootcert=/nonexistent", "the file of its sslrootcert cannot be read"],
  [
    "postgres://ann@db.example?channel_binding=require&sslmode=require",
    "channel_binding=require needs sslmode=verify-full",
  ],
  [
    "postgres://ann@db.example?channel_binding=require&sslmode=verify-ca",
    "channel_binding=require needs sslmode=verify-full",
  ],
  ["postgres://ann@127.0.0.1?channel_binding=require", "channel_binding=require needs sslmode=verify-full"],
  ["postgres://ann@db.example?target_session_attrs=any", "it has a parameter that is not known"],
  ["postgres://ann:%zz@db.example", "it holds a % that starts no escape"],
])("refuses %s, and repeats none of it", (url, problem) => {
  expect(() => resolve(url)).toThrow(`the URL of the journal's PostgreSQL server cannot be used: ${problem}`);
});

it("refuses a channel binding that the environment requires", () => {
  const env = { PGCHANNELBINDING: "require" };
  expect(resolve("postgres://ann@db.example", env).tls).toMatchObject(verified);
  expect(() => resolve("postgres://ann@db.example?sslmode=disable", env)).toThrow("channel_binding=require");
});

it("verifies against the root certificate that is named", () => {
  const file = join(folder, "root.crt");
  writeFileSync(file, "the certificate");
  const tls = { ...verified, ca: "the certificate" };
  expect(resolve(`postgres://ann@db.example?sslrootcert=${file}`).tls).toEqual(tls);
  expect(resolve("postgres://ann@db.example", { PGSSLROOTCERT: file }).tls).toEqual(tls);
  // As libpq: with a root certificate, `require` verifies the chain.
  expect(resolve(`postgres://ann@db.example?sslmode=require&sslrootcert=${file}`).tls).toMatchObject(tls);
});
