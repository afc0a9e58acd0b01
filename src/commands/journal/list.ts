// `incident journal list`: the creates, updates and edits that were sent from here.
import { Failure } from "../../failure.ts";
import { incidentIdOf, type OperationLog } from "../../journal/events.ts";
import { newest } from "../../journal/model.ts";
import type { CommandSpec, Run } from "../../kit/command.ts";
import { flag } from "../../kit/flags.ts";
import { listReport } from "../../kit/report.ts";
import { safe } from "../../platform/terminal/safe-text.ts";
import { isGuid } from "../../rules/forms.ts";
import { readSince } from "../shared/incident-list.ts";
import { openJournal } from "../shared/journal.ts";
import { factsOf, renderOperations } from "./show.ts";

export const spec = {
  flags: {
    limit: flag.count("--limit <count>", "the newest so many, and all without a known outcome (default: 50)"),
    open: flag.switch(
      "--open",
      "only those without a known outcome, and the incidents that are not known as resolved",
    ),
    since: flag.text("--since <time>", "only what happened since then, such as 7d or 2026-11-01"),
  },
  result: "list",
  examples: {
    "incident journal list": "the last 50, the newest first",
    "incident journal list --open": "what may still be open",
    "incident journal list --since 30d -o json": "a month for an audit, with who sent what from where",
  },
  notes:
    "HERE is the outcome that this journal has. LAST STATUS is the status that was declared or posted last " +
    "from here, and empty where that is not known, such as of a create in a shared journal: the list asks the service nothing. Without --limit, a list with --since is complete, and so is -o json.",
} as const satisfies CommandSpec;

export const run: Run<typeof spec> = async (context, { flags }) => {
  const { format } = context;
  if (flags.limit === 0)
    throw new Failure("usage", "--limit 0 lists nothing", { hint: "give a count from 1" });
  const since = readSince(context, flags.since);
  const isPage = since === undefined && (format === "table" || format === "id");
  const { limit = isPage ? 50 : Number.POSITIVE_INFINITY, open = false } = flags;
  const journal = await openJournal(context);
  const { broken, left, models } = await journal.models();
  const timeOf = ({ log }: Listed) => log.events[0]?.at ?? "";
  const all = [...models, ...left]
    .flatMap((model) => listedOf(newest(model)))
    .sort((one, other) => timeOf(other).localeCompare(timeOf(one)));
  const isOpen = ({ log, status }: Listed) =>
    log.uncertain !== undefined ||
    (log.change === undefined && log.created !== undefined && status !== "RESOLVED");
  const isSince = ({ log: { events } }: Listed) =>
    since === undefined || Date.parse(events.at(-1)?.at ?? "") >= since;
  const matching = all.filter((each) => isSince(each) && (!open || isOpen(each)));
  // Unreadable entries do not hide the others, and of a rolled-back journal, the remaining operations are listed.
  const failure = broken.find(({ kind }) => kind !== "uncertain");
  for (const each of broken) if (each !== failure) context.warn(each.message);
  if (matching.length > limit)
    context.warn(`only the newest ${limit} and those without a known outcome are listed: --limit lists more`);
  const listed = matching.filter(({ log }, index) => index < limit || log.uncertain !== undefined);
  const operations = listed.map(({ log, status }) => factsOf(log, status));
  const ids = [...new Set(listed.map(usableId))].map((id) => ({ id }));
  const report = listReport(operations, ids, (style) =>
    operations.length === 0
      ? safe`nothing that was sent from here matches\n`
      : renderOperations(style, operations),
  );
  return { ...report, failure };
};

/** The id that `incident get` takes or, where the outcome is not known, `incident journal settle`. */
function usableId({ log }: Listed): string {
  const id = incidentIdOf(log);
  return isGuid(id) && log.uncertain === undefined ? id : log.key.id;
}

interface Listed {
  readonly log: OperationLog;
  /** Of an incident: the status that was posted last from here, else that of its create. */
  readonly status?: string | undefined;
}

/** `logs`: of one service. */
function listedOf(logs: readonly OperationLog[]): readonly Listed[] {
  const posted = new Map<string, { readonly at: string; readonly status: string }>();
  for (const { change, created } of logs) {
    if (change?.kind !== "update" || change.status === undefined || created === undefined) continue;
    const id = change.incidentId.toLowerCase();
    if (created.at > (posted.get(id)?.at ?? "")) posted.set(id, { at: created.at, status: change.status });
  }
  return logs.map((log) => {
    const { change, content, created, events, parts } = log;
    if (created === undefined || change !== undefined) return { log };
    // An incident that was only found can have another status, and the content of a recorded edit has all updates of the file.
    const wasSent = events.some(({ type }) => type === "sending");
    const sent = wasSent ? content?.body.incidentUpdates.slice(0, parts?.updates.length) : undefined;
    const declared = sent?.findLast((update) => update.status !== undefined)?.status;
    return { log, status: posted.get(created.serviceId.toLowerCase())?.status ?? declared };
  });
}
