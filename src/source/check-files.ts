// Checks files: takes the fast path, and the regular one for each file that it does not accept.
import type { CheckedSources, LoadOptions } from "./definitions.ts";
import { acceptSource } from "./fast-path.ts";
import type { Source } from "./read-source.ts";

/** Checks one file with any bytes. Throws only the errors of `loadOptions`. */
export async function checkFile(source: Source, loadOptions: LoadOptions): Promise<CheckedSources> {
  const accepted = acceptSource(source, loadOptions);
  if (accepted !== undefined) return accepted;
  const { checkSource } = await import("./definitions.ts");
  return checkSource(source, loadOptions);
}

/** Checks every file. The results are in the order of the files. */
export async function checkFiles(
  sources: Iterable<Source>,
  loadOptions: LoadOptions,
): Promise<CheckedSources> {
  const checked: CheckedSources[] = [];
  for (const source of sources) checked.push(await checkFile(source, loadOptions));
  return {
    definitions: checked.flatMap(({ definitions }) => definitions),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
    warnings: checked.flatMap(({ warnings }) => warnings),
  };
}
