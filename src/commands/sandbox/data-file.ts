// The file of --data, which keeps the incidents of a sandbox for the next one.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { createLinkCheck } from "../../platform/repository.ts";
import type { ServiceContract } from "../../sandbox/contract/service-contract.ts";
import {
  type FileStorage,
  OtherContentError,
  openStorage,
  type Storage,
  StorageInUseError,
} from "../../sandbox/storage.ts";

/** The incidents of earlier sandboxes, and the file for new ones. Throws a `Failure` "usage". */
export async function openDataFile(
  { files, system, warn }: Pick<Context, "files" | "system"> & Pick<Reporter, "warn">,
  file: string,
  contract: ServiceContract | undefined,
  force = false,
): Promise<FileStorage> {
  const path = resolve(system.cwd, file);
  if (createLinkCheck(files)(path)) {
    throw new Failure("usage", `${file} leads out of the repository by a symbolic link`, {
      hint: "name a file with --data that is no link; nothing was started",
    });
  }
  try {
    const storage = await openStorage(files, path, { force, ofDocument: contract !== undefined });
    if (contract !== undefined) warnOfOtherShapes({ warn }, file, storage, contract);
    return storage;
  } catch (error) {
    throw new Failure("usage", `incidents cannot be stored in ${file}: ${messageOf(error)}`, {
      hint: storageHint(error),
    });
  }
}

function warnOfOtherShapes(
  { warn }: Pick<Reporter, "warn">,
  file: string,
  { incidents }: Storage,
  { checkIncident }: ServiceContract,
): void {
  const found = incidents.flatMap(({ incident }) => {
    const [problem] = checkIncident(incident);
    return problem === undefined ? [] : [`${incident.id}: ${problem}`];
  });
  const [first] = found;
  if (first === undefined) return;
  const more = found.length === 1 ? "" : ` (and ${found.length - 1} more)`;
  warn(`${file} has an incident that is not in the document's shape, ${first}${more}`);
}

function storageHint(error: unknown): string {
  if (error instanceof StorageInUseError) {
    return "stop that sandbox, or give this one another file with --data";
  }
  if (error instanceof OtherContentError) {
    return "the file is unchanged: name another file, or replace its content with --force";
  }
  return "name a file that an earlier --data wrote, or a new file in an existing folder";
}

/** Warns of each incident that cannot be stored, so that the log explains why its create fails. */
export function withWarning({ warn }: Pick<Reporter, "warn">, { incidents, append }: Storage): Storage {
  return {
    incidents,
    append: (incident) => {
      try {
        append(incident);
      } catch (error) {
        warn(`an incident could not be stored, so its create fails: ${messageOf(error)}`);
        throw error;
      }
    },
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
