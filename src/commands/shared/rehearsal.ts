// Keeps the data of a sandbox out of the files of the project: a rehearsal runs in the real one.
import { Failure } from "../../failure.ts";
import type { System } from "../../platform/context.ts";
import { environmentVariables } from "../../workspace/environment-variables.ts";
import type { GlobalFlags } from "../define-command.ts";

/** The base URL of the sandbox in a rehearsal; undefined outside of one. */
export function sandboxPin({ env }: Pick<System, "env">): string | undefined {
  return env[environmentVariables.sandboxPin] || undefined;
}

interface ProjectWrite {
  /** The data of the sandbox that a file of the project would get. */
  readonly data: string;
  /** From the working directory. */
  readonly file: string;
  /** Another way, as a clause. */
  readonly instead?: string;
}

/** Throws a `Failure` "usage" in a rehearsal. `--yes` writes the file knowingly. */
export function refuseInRehearsal(
  { system }: { readonly system: Pick<System, "env"> },
  { yes }: GlobalFlags,
  { data, file, instead }: ProjectWrite,
): void {
  if (yes || sandboxPin(system) === undefined) return;
  const ways = [...(instead === undefined ? [] : [instead]), "to write it knowingly, add --yes"];
  throw new Failure(
    "usage",
    `this runs inside a sandbox (${environmentVariables.sandboxPin} is set), and ${data} do not belong in ${file}`,
    { hint: `nothing was changed; ${ways.join("; ")}, such as in a copy of the project` },
  );
}
