// A PostgreSQL server of its own on loopback, for the measurements.
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Undefined where its programs are not installed. Adds to `endings` how it is stopped. */
export function startPostgres(endings) {
  const roots = ["/usr/lib/postgresql", "/usr/local/lib/postgresql"].filter((root) => existsSync(root));
  const bins = roots.flatMap((root) => readdirSync(root).map((version) => join(root, version, "bin")));
  const bin = bins.find((path) => existsSync(join(path, "initdb")));
  if (bin === undefined) return undefined;
  // PostgreSQL does not run as root.
  const owner = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const place = mkdtempSync(join(tmpdir(), "incident-pg-"));
  if (owner.uid) chownSync(place, owner.uid, owner.gid);
  const port = 40_000 + Math.floor(Math.random() * 20_000);
  const run = (program, args, input = "") =>
    execFileSync(join(bin, program), args, {
      ...owner,
      cwd: place,
      input,
      stdio: ["pipe", "pipe", "inherit"],
    });
  run("initdb", ["-D", join(place, "data"), "-U", "postgres", "-A", "trust", "--no-sync"]);
  const flags = `-c unix_socket_directories=${place} -c listen_addresses=127.0.0.1 -c port=${port}`;
  run("pg_ctl", ["-D", join(place, "data"), "-l", join(place, "log"), "-w", "-o", flags, "start"]);
  endings.push(() => {
    run("pg_ctl", ["-D", join(place, "data"), "-w", "-m", "immediate", "stop"]);
    rmSync(place, { recursive: true, force: true });
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const sql = (text) => run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", url], text);
  return { sql, url };
}
