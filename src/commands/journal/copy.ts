// `incident journal copy`: takes the journal of this machine into a shared one, or a shared one to this machine.
import { Failure } from "../../failure.ts";
import { checkState } from "../../journal/check-state.ts";
import { copyJournal } from "../../journal/fleet/copy-journal.ts";
import { openJournal } from "../../journal/open-journal.ts";
import { defineCommand, type Run } from "../../kit/define-command.ts";
import { flag } from "../../kit/flags.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import {
  type JournalSettings,
  parseJournalLocation,
  secretsOf,
  showJournal,
} from "../../workspace/journal-location.ts";

export const spec = defineCommand({
  name: "journal copy",
  flags: {
    to: flag.text(
      "--to <journal>",
      "shared, which is the one of the settings; folder, which is this machine; or a location",
    ),
  },
  result: "page",
  examples: {
    "incident journal copy --to shared": "before the first create with INCIDENT_CLI_JOURNAL",
    "incident journal copy --to folder": "the shared journal to this machine",
  },
  notes:
    "It can be interrupted and repeated. An operation that both journals continued is left as it is, and named.",
});

const formatVersion = 1;

export const run: Run<typeof spec> = async (context, { flags }) => {
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
  const { conflicts, copied, unchanged } = await copyJournal(
    await openJournal(context, folder, source),
    await openJournal(context, folder, to),
  );
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
    is: "page",
    data: { formatVersion, from: source.shown, to: to.shown, copied, unchanged, conflicts },
    page: (style) => safe`${copied} copied to ${style.line(to.shown)}, ${unchanged} were there\n`,
    ...(failure && { failure }),
  };
};

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
