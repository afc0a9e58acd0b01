// The file of --data, which keeps the incidents of a sandbox for the next one.
import { resolve } from "node:path";
import { Failure } from "../../failure.ts";
import type { Context, Reporter } from "../../platform/context.ts";
import { createLinkCheck } from "../../platform/repository.ts";
import {
  OtherContentError,
  openStorage,
  StorageInUseError,
  type StorageOptions,
} from "../../sandbox/storage.ts";
import { messageOf } from "../../thrown-value.ts";

/**
 * The incidents of earlier sandboxes, and the file for new ones. Warns of each incident that cannot be stored, so that
 * the log explains why its create fails. Throws a `Failure` "usage".
 */
export async function openDataFile(
  { files, system, warn }: Pick<Context, "files" | "system"> & Pick<Reporter, "warn">,
  file: string,
  { force, ofDocument }: Required<Pick<StorageOptions, "force" | "ofDocument">>,
) {
  const path = resolve(system.cwd, file);
  if (createLinkCheck(files)(path)) {
    throw new Failure("usage", `${file} leads out of the repository by a symbolic link`, {
      hint: "name a file with --data that is no link; nothing was started",
    });
  }
  try {
    const storage = await openStorage(files, path, { force, ofDocument });
    const append: typeof storage.append = (incident) => {
      try {
        storage.append(incident);
      } catch (error) {
        warn(`an incident could not be stored, so its create fails: ${messageOf(error)}`);
        throw error;
      }
    };
    return { ...storage, append };
  } catch (error) {
    throw new Failure("usage", `incidents cannot be stored in ${file}: ${messageOf(error)}`, {
      hint: storageHint(error),
    });
  }
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
