// The programs that some tests need besides Node. Tests whose program is not installed are skipped, except where
// INCIDENT_TEST_PROGRAMS=required: there they fail.
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The names under which systems install each program. */
const programs = {
  git: ["git"],
  tmux: ["tmux"],
  zsh: ["zsh"],
  fish: ["fish"],
  strace: ["strace"],
  "pre-commit": ["pre-commit"],
  chromium: ["chromium", "chromium-browser", "google-chrome"],
  initdb: ["initdb"],
  pgbouncer: ["pgbouncer"],
  buildah: ["buildah"],
} as const satisfies Record<string, readonly string[]>;
export type Program = keyof typeof programs;

export function findProgram(program: Program): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", ...postgresFolders()];
  return folders.flatMap((folder) => programs[program].map((name) => join(folder, name))).find(isExecutable);
}

/** Debian keeps the programs of each version of PostgreSQL in a folder out of PATH. */
function postgresFolders(): readonly string[] {
  const root = "/usr/lib/postgresql";
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, "bin")) : [];
}

/** For `describe.skipIf` and `it.skipIf`. */
export function isMissing(...needed: readonly Program[]): boolean {
  const missing = needed.filter((program) => findProgram(program) === undefined);
  if (missing.length > 0 && process.env.INCIDENT_TEST_PROGRAMS === "required") {
    throw new Error(`not installed: ${missing.join(", ")}`);
  }
  return missing.length > 0;
}

/** vitest calls it before a run, once for each project. The variable outlives the copies of this module. */
export function setup(): void {
  if (process.env.INCIDENT_TEST_SKIPS_NAMED) return;
  process.env.INCIDENT_TEST_SKIPS_NAMED = "1";
  const missing = (Object.keys(programs) as Program[]).filter(
    (program) => findProgram(program) === undefined,
  );
  if (missing.length > 0) {
    process.stderr.write(`not installed: ${missing.join(", ")}. The tests that need them are skipped.\n`);
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
