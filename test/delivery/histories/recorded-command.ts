// The command, built from the same source with sequences that record their history.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin, type RolldownOptions } from "rolldown";
import { type RecordedCall, readHistory } from "./history.ts";

const mark = "\0recorded:";

/** Replaces the function that opens the sequences of a journal by one whose sequences record. */
const recording: Plugin = {
  name: "recording",
  async resolveId(id, importer) {
    if (!id.endsWith("/open-sequences.ts") || importer?.startsWith(mark)) return null;
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return resolved && `${mark}${resolved.id}`;
  },
  load(id) {
    if (!id.startsWith(mark)) return null;
    const file = JSON.stringify(id.slice(mark.length));
    const recorder = JSON.stringify(join(import.meta.dirname, "recorder.ts"));
    return `export * from ${file};
import { openSequences as open } from ${file};
import { openedBy, recordSequences } from ${recorder};
export const openSequences = async (deps, folder, settings) =>
  recordSequences(await open(deps, folder, settings), openedBy(folder, settings));`;
  },
};

/** These write files that no test here reads. */
const superfluous = ["licences"];

export interface RecordedCommand {
  /** Instead of the built command. */
  readonly args: readonly string[];
  /** The variables with which a process records into the folder. */
  env(folder: string): Readonly<Record<string, string>>;
  /** What the processes recorded into the folder. */
  read(folder: string): readonly RecordedCall[];
  remove(): void;
}

export async function buildRecordedCommand(): Promise<RecordedCommand> {
  const dir = mkdtempSync(join(tmpdir(), "recorded-"));
  const { default: configurations }: { readonly default: readonly RolldownOptions[] } = await import(
    new URL("../../../rolldown.config.js", import.meta.url).href
  );
  for (const configuration of configurations) {
    const plugins = [configuration.plugins ?? []].flat() as Plugin[];
    await build({
      ...configuration,
      logLevel: "warn",
      plugins: [recording, ...plugins.filter(({ name }) => !superfluous.includes(name))],
      output: { ...configuration.output, dir, cleanDir: false },
    });
  }
  return {
    args: [join(dir, "incident.cjs")],
    env: (folder) => ({ INCIDENT_TEST_HISTORY: folder }),
    read: readHistory,
    remove: () => rmSync(dir, { recursive: true }),
  };
}
