// Keeps a sandbox out of the files of the project and of the user: a rehearsal runs beside the real ones.
import { Failure } from "../../failure.ts";
import type { GlobalFlags } from "../../kit/global-flags.ts";
import type { System } from "../../platform/context.ts";
import { ownServices } from "../../sandbox/own-services.ts";
import { importAdvice } from "../../source/resolve-services.ts";
import { type Advice, advise, argv } from "../../text/advice.ts";
import { environmentVariables } from "../../workspace/settings.ts";

/** The base URL of the sandbox in a rehearsal; undefined outside of one. */
export function sandboxPin({ env }: Pick<System, "env">): string | undefined {
  return env[environmentVariables.sandboxPin] || undefined;
}

/** Where the services of definitions come from. The import of a rehearsal is refused, so that it names one of the sandbox. */
export function servicesAdvice({ system }: { readonly system: Pick<System, "env"> }): Advice {
  const [own] = ownServices;
  if (own === undefined || sandboxPin(system) === undefined) return importAdvice;
  return advise`in this sandbox, --service "${own.name}=${own.id}" works, and ${argv`incident services list`} shows the names of this project`;
}

interface RehearsalWrite {
  /** The entries of the sandbox that the file would get. */
  readonly data: string;
  readonly file: string;
  /** Another way, as a clause. */
  readonly instead?: string;
  /** Where it does no harm to write the file. */
  readonly harmless?: string;
}

/** For a `login` or `logout` in a rehearsal: a profile may hold the key of a real service. */
export const credentialsOfSandbox = {
  data: "the settings of a sandbox",
  instead: "the sandbox needs no profile: its settings are in the environment",
  harmless: "with another settings file (XDG_CONFIG_HOME)",
};

/** Throws a `Failure` "usage" in a rehearsal. `--yes` writes the file knowingly. */
export function refuseInRehearsal(
  { system }: { readonly system: Pick<System, "env"> },
  { yes }: GlobalFlags,
  { data, file, instead, harmless = "in a copy of the project" }: RehearsalWrite,
): void {
  if (yes || sandboxPin(system) === undefined) return;
  const ways = [...(instead === undefined ? [] : [instead]), "to write it knowingly, add --yes"];
  throw new Failure(
    "usage",
    `this runs inside a sandbox (${environmentVariables.sandboxPin} is set), and ${data} do not belong in ${file}`,
    { hint: `nothing was changed; ${ways.join("; ")}, such as ${harmless}` },
  );
}
