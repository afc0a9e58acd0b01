// The name of a file in the reports that a pipeline shows beside the lines of a pull request.
import { relative, resolve } from "node:path";
import type { System } from "../../platform/context.ts";

/** GitHub resolves names from the root of the repository, not from the working directory. */
export function nameInRepository({ cwd, env }: Pick<System, "cwd" | "env">, file: string): string {
  const name = env.GITHUB_WORKSPACE ? relative(env.GITHUB_WORKSPACE, resolve(cwd, file)) : file;
  return name.startsWith("..") || file.startsWith("<") ? file : name;
}
