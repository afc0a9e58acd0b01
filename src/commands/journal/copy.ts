// `incident journal copy`, `export` and `import`: takes the journal of this machine into a shared one, a shared one to this
// machine, or either into a file and out of it.
import { resolve } from "node:path";

import { Failure } from "../../failure.ts";
import { checkState } from "../../journal/check-state.ts";
import type { EventStore } from "../../journal/event-store.ts";
import { copyLogs } from "../../journal/fleet/copy-logs.ts";
import { eventLines, parseEventLines } from "../../journal/fleet/event-file.ts";
import { withRedactedEvents } from "../../journal/fleet/redact-events.ts";
import { openStore } from "../../journal/open-store.ts";
import type { Run, RunContext } from "../../kit/define-command.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { safe, safeLines } from "../../platform/terminal/safe-text.ts";
import { writeNewFile } from "../../platform/write-named-file.ts";
import { codeOf } from "../../thrown-value.ts";
import { decodeUtf8 } from "../../untrusted-data.ts";
import { escapeJson } from "../../view/terminal/escape.ts";
import type { Style } from "../../view/terminal/style.ts";
import {
  type JournalSettings,
  parseJournalLocation,
  secretsOf,
  showJournal,
} from "../../workspace/journal-location.ts";
import type { copySpec, exportSpec, importSpec } from "./spec.ts";

const formatVersion = 1;

/** The operand that stands for stdout or stdin. */
const stream = "-";

export const copy: Run<typeof copySpec> = async (context, { flags }) => {
  const configured = await context.workspace.journal();
  const to = targetOf(flags.to, configured);
  const folder = context.workspace.stateDirectory.value;
  await checkState(context, folder);
  const here: JournalSettings = {
    ...configured,
    location: { value: { kind: "folder" }, origin: "this machine" },
    shown: "folder",
  };
  const isBack = to.location.value.kind === "folder";
  const source = isBack ? configured : here;
  const target = await openStore(context, folder, to);
  return copyReport(
    source.shown,
    to,
    await copyInto(context, await openStore(context, folder, source), target, to),
  );
};

export const exportJournal: Run<typeof exportSpec> = async (context, { format, operands: [file = ""] }) => {
  const isPrinted = file === stream;
  if (isPrinted && format !== "table")
    throw new Failure("usage", "with -, the events themselves are printed", { hint: "leave -o out" });
  const configured = await context.workspace.journal();
  const folder = context.workspace.stateDirectory.value;
  await checkState(context, folder);
  const lines = await eventLines(await openStore(context, folder, configured));
  if (isPrinted) {
    context.info(`${lines.length} events of ${configured.shown}`);
    return { data: {}, page: () => safeLines(lines.map(escapeJson)) };
  }
  const text = lines.map((line) => `${line}\n`).join("");
  writeNewFile(context.files, resolve(context.system.cwd, file), file, text, 0o600);
  return {
    data: { formatVersion, journal: configured.shown, file, events: lines.length },
    page: (style) =>
      safe`${lines.length} events of ${style.line(configured.shown)} are in ${style.line(file)}\n`,
  };
};

export const importJournal: Run<typeof importSpec> = async (context, { operands: [file = ""] }) => {
  const to = await context.workspace.journal();
  const folder = context.workspace.stateDirectory.value;
  await checkState(context, folder);
  const name = file === stream ? "<stdin>" : file;
  const from = await parseEventLines(name, await readEventFile(context, file, name));
  const target = await openStore(context, folder, to);
  return copyReport(name, to, await copyInto(context, from, target, to));
};

/** In bytes: strings of the runtime are hardly longer. */
const largestFile = 400 * 1024 * 1024;

async function readEventFile({ files, io, system }: RunContext, file: string, name: string): Promise<string> {
  const refuse = (problem: string) =>
    new Failure("usage", `${name} ${problem}`, { hint: "name a file that incident journal export wrote" });
  let bytes: Uint8Array | undefined;
  try {
    bytes =
      file === stream
        ? await io.stdin.read(largestFile)
        : readRegularFile(files, resolve(system.cwd, file), largestFile)?.bytes;
  } catch (error) {
    throw refuse(`cannot be read (${codeOf(error) ?? error})`);
  }
  if (bytes === undefined) throw refuse("is not a regular file");
  const text = decodeUtf8(bytes);
  if (text === undefined || bytes.length > largestFile)
    throw refuse("is larger than any export, or not UTF-8");
  return text;
}

function copyInto({ system }: RunContext, from: EventStore, target: EventStore, to: JournalSettings) {
  const isHere = to.location.value.kind === "folder";
  return copyLogs(system, from, isHere ? target : withRedactedEvents(target, to));
}

function copyReport(
  from: string,
  to: JournalSettings,
  { conflicts, copied, unchanged }: Awaited<ReturnType<typeof copyLogs>>,
) {
  const failure =
    conflicts.length === 0
      ? undefined
      : new Failure(
          "rejected",
          `the journals have different entries for ${conflicts.join(", ")}, which were not copied`,
          {
            hint: "compare them with incident journal show, once with each journal, and settle what is uncertain",
          },
        );
  return {
    data: { formatVersion, from, to: to.shown, copied, unchanged, conflicts },
    page: (style: Style) => safe`${copied} copied to ${style.line(to.shown)}, ${unchanged} were there\n`,
    ...(failure && { failure }),
  };
}

function targetOf(to: string | undefined, configured: JournalSettings): JournalSettings {
  const isLocal = configured.location.value.kind === "folder";
  if (to === undefined || (to === "shared" && isLocal) || (to === "folder" && isLocal)) {
    throw new Failure("usage", to === undefined ? "--to is missing" : "no shared journal is chosen", {
      hint: "set INCIDENT_CLI_JOURNAL, then copy --to shared, or --to folder for the way back",
    });
  }
  if (to === "shared") return configured;
  if (secretsOf(to).length > 0) {
    throw new Failure("usage", "--to has a password, and other users of this machine can read arguments", {
      hint: "set INCIDENT_CLI_JOURNAL, then copy --to shared; nothing was copied",
    });
  }
  const location = { value: parseJournalLocation({ value: to, origin: "--to" }), origin: "--to" };
  return { ...configured, location, shown: showJournal(to), secrets: [] };
}
