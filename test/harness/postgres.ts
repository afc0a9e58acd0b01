// A scratch cluster of PostgreSQL from the programs of this machine: on loopback and a Unix socket, and gone after the
// tests of a file. PostgreSQL refuses to run as root, so root starts it as nobody.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSession } from "../../src/journal/postgres/connection.ts";
import { createPostgresSequences } from "../../src/journal/postgres/sequences.ts";
import { type PostgresServer, resolveServer } from "../../src/journal/postgres/server.ts";
import { closedPort } from "../http/fault-server.ts";
import { findProgram } from "./programs.ts";
import { temporaryRoot } from "./temporary-root.ts";

export interface PostgresCluster {
  readonly port: number;
  /** The folder of the Unix socket. */
  readonly folder: string;
  /** A URL on loopback, with a user and a database of the cluster. */
  url(user?: string, database?: string): string;
  /** Runs SQL as the superuser, one statement to a line of the result. */
  sql(text: string, database?: string): string;
  /** `immediate` is a crash. */
  stop(mode: "fast" | "immediate"): void;
  /** `settings`: as `name=value`. */
  start(settings?: readonly string[]): void;
  remove(): void;
}

const nobody = 65_534;

export async function startPostgres(): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(temporaryRoot, "pg-"));
  const data = join(folder, "data");
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(folder, nobody, nobody);
  const port = await closedPort();
  const environment = { ...process.env, LC_ALL: "C", PGHOST: folder, PGPORT: `${port}`, PGUSER: "postgres" };
  const run = (program: string, args: readonly string[], input = "") =>
    execFileSync(join(programFolder(), program), args, {
      ...owner,
      cwd: folder,
      env: environment,
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
    });
  run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--encoding=UTF8"]);
  const start = (more: readonly string[] = []) => {
    const all = [`unix_socket_directories=${folder}`, "listen_addresses=127.0.0.1", `port=${port}`, ...more];
    const flags = all.map((option) => `-c ${option}`).join(" ");
    run("pg_ctl", ["-D", data, "-l", join(folder, "log"), "-w", "-o", flags, "start"]);
  };
  const stop = (mode: string) => void run("pg_ctl", ["-D", data, "-w", "-m", mode, "stop"]);
  start();
  return {
    port,
    folder,
    url: (user = "postgres", database = "postgres") => `postgres://${user}@127.0.0.1:${port}/${database}`,
    sql: (text, database = "postgres") =>
      run("psql", ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", database], text).trim(),
    stop,
    start,
    remove() {
      if (existsSync(join(data, "postmaster.pid"))) stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PgBouncer in transaction mode before a cluster. */
export async function startPgBouncer(
  cluster: PostgresCluster,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await closedPort();
  const file = join(cluster.folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${cluster.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  const child = spawn(findProgram("pgbouncer") ?? "pgbouncer", [file], {
    ...owner,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    child.on("exit", () => reject(new Error(log)));
    child.stderr.on("data", (chunk) => {
      log += chunk;
      if (log.includes("process up")) resolve();
    });
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

/** The store of a server. `more` replaces parts of what the URL says. */
export function openPostgresSequences(url: string, more: Partial<PostgresServer> = {}) {
  const server = { ...resolveServer({ files: fs, system: { env: {} } }, url), ...more };
  const session = createSession(server);
  return { sequences: createPostgresSequences(server, session), close: session.close };
}

/** The folder of the programs of one version, of which PATH may hold links to some. */
function programFolder(): string {
  return dirname(realpathSync(findProgram("initdb") ?? "initdb"));
}
