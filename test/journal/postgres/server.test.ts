// How a URL becomes a server.
import * as fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveServer } from "../../../src/journal/postgres/server.ts";
import { temporaryFolder } from "../../harness/incident.ts";

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
  ["postgres://ann@db.example", { PGPASSWORD: "safe" }, { password: "safe" }],
  ["postgres://ann:own@db.example", { PGPASSWORD: "safe" }, { password: "own" }],
  ["postgres://ann@one.example?host=two.example", {}, { host: "two.example" }],
  ["postgres://ann@localhost", {}, { tls: undefined }],
  // Only this machine's own addresses need no TLS.
  ["postgres://ann@127.0.0.1", {}, { tls: undefined }],
  ["postgres://ann@[::1]:6432", {}, { host: "::1", tls: undefined }],
  ["postgres://ann@%2Frun%2Fpostgresql/ops", {}, { host: "/run/postgresql", tls: undefined }],
  ["postgres://ann@localhost/ops?host=/run/postgresql", {}, { host: "/run/postgresql", database: "ops" }],
  ["postgres://ann@[2001:db8::1]", {}, { host: "2001:db8::1", tls: verified }],
  ["postgres://ann@localhost.example", {}, { tls: verified }],
  ["postgres://ann@db.example?sslmode=disable", {}, { tls: undefined }],
  ["postgres://ann@db.example?sslmode=require", {}, { tls: encrypted }],
  ["postgres://ann@127.0.0.1?sslmode=verify-full", {}, { tls: verified }],
  ["postgres://ann@db.example", {}, { scope: "default" }],
  ["postgres://ann@db.example?scope=staging", {}, { scope: "staging" }],
])("resolves %s", (url, env, expected) => {
  expect(resolve(url, env)).toMatchObject(expected);
});

it.each([
  ["postgres://db.example", "it names no user"],
  ["postgres://ann@a.example,b.example/ops", "it names several hosts"],
  ["postgres://ann@db.example?host=a.example,b.example", "it names several hosts"],
  ["postgres://ann@db.example:none", "it is no URL"],
  ["postgres://ann@db.example?sslmode=prefer", "its sslmode is not known"],
  ["postgres://ann@db.example?sslmode=verify-ca", "its sslmode is not known"],
  ["postgres://ann@db.example?sslmode=on", "its sslmode is not known"],
  ["postgres://ann@db.example?sslrootcert=/nonexistent", "the file of its sslrootcert cannot be read"],
  ["postgres://ann@db.example?channel_binding=require", "it has a parameter that is not known"],
  ["postgres://ann@db.example?target_session_attrs=any", "it has a parameter that is not known"],
  ["postgres://ann:%zz@db.example", "it holds a % that starts no escape"],
])("refuses %s, and repeats none of it", (url, problem) => {
  expect(() => resolve(url)).toThrow(`the URL of the journal's PostgreSQL server cannot be used: ${problem}`);
});

it("verifies against the root certificate that is named", () => {
  const file = join(temporaryFolder(), "root.crt");
  fs.writeFileSync(file, "the certificate");
  const tls = { ...verified, ca: "the certificate" };
  expect(resolve(`postgres://ann@db.example?sslrootcert=${file}`).tls).toEqual(tls);
  expect(resolve(`postgres://ann@db.example?sslmode=require&sslrootcert=${file}`).tls).toEqual(tls);
});
