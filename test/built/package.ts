// The package without npm, which takes seconds: test/built/package.slow.test.ts packs and installs it as users do.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { version } from "../../src/version.ts";

const root = join(import.meta.dirname, "../..");

export const tarballName = `incident-cli-${version}.tgz`;

/** Makes the folder `package`, and its tarball. */
export async function packPackage(folder: string): Promise<void> {
  for (const name of ["LICENSE", "README.md", "dist", "package.json", "skills"])
    cpSync(join(root, name), join(folder, "package", name), { recursive: true });
  await execa("tar", ["-czf", tarballName, "package"], { cwd: folder });
}
