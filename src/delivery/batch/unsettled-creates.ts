// Creates whose outcome is not known, before another one is sent: one that may be the same incident stops it, and the
// others are a warning.
import { Failure } from "../../failure.ts";
import { normalText } from "../../incident/normal-form.ts";
import type { Content, OperationLog } from "../../journal/events.ts";
import type { BrokenEntry, JournalList } from "../../journal/journal.ts";
import { advise, argv } from "../../text/advice.ts";
import { settlingCommands } from "../delivery-failures.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { sentAt } from "../unsettled.ts";

/** The largest number of creates that a message names. */
const mostNamed = 3;

/** The create among `logs` that may be the incident that is asked for, as a failure; undefined where none is. */
export function findSimilarCreate(
  options: Pick<DeliveryOptions, "clientIds">,
  logs: readonly OperationLog[],
  content: Content,
): Failure | undefined {
  for (const log of logs) {
    const reason = likeness(log, content);
    if (reason !== undefined) return similarFailure(options, content, log, reason);
  }
  return undefined;
}

/** The first create that cannot be read, as a failure: it may be the incident that is asked for. */
export function unreadableCreate([entry]: readonly BrokenEntry[], { body }: Content): Failure | undefined {
  return entry?.failure.with({
    kind: "uncertain",
    message: `"${body.name}" may be a create that was sent before and whose outcome is not known: ${entry.failure.message}`,
    hint: advise`${entry.failure.details.hint}; create it with --new if it is another incident`,
    commands: [{ command: argv`incident journal list`, purpose: "see the creates that can be read" }],
  });
}

/** Why the unsettled create `log` may be the incident that is asked for; undefined where it is another. */
function likeness(log: OperationLog, { body, digest }: Content): string | undefined {
  if (log.digest === digest) return "the same content";
  const { name } = log;
  const hasSameName = name !== undefined && normalText(name) === normalText(body.name);
  return hasSameName ? "the same name" : undefined;
}

/** Two creates that may be the same incident: the second is not sent. */
function similarFailure(
  { clientIds }: Pick<DeliveryOptions, "clientIds">,
  { body }: Content,
  log: OperationLog,
  reason: string,
): Failure {
  const message = `"${body.name}" may be the create of ${describe(log)}, sent at ${sentAt(log)}, whose outcome is not known: it has ${reason}`;
  return new Failure("uncertain", message, {
    hint: "nothing was sent; settle the first one, then run it again; or create it with --new if it is another incident",
    commands: settlingCommands(log, clientIds.latest()),
  });
}

/** Joins the creates into one warning; each entry that cannot be read has its own. `logs` are the oldest first. */
export function warnOfUnsettled({ reporter }: DeliveryOptions, { broken, logs }: JournalList): void {
  for (const { failure } of broken) reporter.warn(failure.message);
  if (logs.length > mostNamed) {
    const named = logs.slice(-mostNamed).reverse().map(describe);
    reporter.warn(
      `the outcome of ${logs.length} creates is not known, the newest of them ${named.slice(0, -1).join(", ")} and ${named.at(-1)}: see incident journal list`,
    );
    return;
  }
  for (const log of logs)
    reporter.warn(
      `the outcome of the create of ${describe(log)}, sent at ${sentAt(log)}, is not known: see incident journal show ${log.key.id}`,
    );
}

function describe({ key, name }: OperationLog): string {
  return name === undefined ? key.id : `${key.id} ("${name}")`;
}
