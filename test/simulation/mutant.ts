// A mutant of the protocol: what it puts in place of a part of the real code.
import type { PlannedDefinition } from "../../src/delivery/apply.ts";
import type { nextStep } from "../../src/delivery/next-step.ts";
import type { Transport } from "../../src/http/transport.ts";
import type { shortened } from "../../src/journal/fold.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Sequence } from "../../src/journal/sequence.ts";
import type { Clock } from "../../src/platform/context.ts";
import type { Start } from "./world/start.ts";

export interface Mutant {
  readonly name: string;
  readonly decide?: typeof nextStep;
  readonly wrapSequence?: (sequence: Sequence, clock: Pick<Clock, "now">) => Sequence;
  readonly wrapJournal?: (journal: Journal) => Journal;
  readonly wrapTransport?: (transport: Transport) => Transport;
  /** What housekeeping keeps of a log. */
  readonly shortened?: typeof shortened;
  /** The `sending` event is appended before the wait for the rate limit, and its deadline begins after. */
  readonly limitsLast?: boolean;
  /** A sender does not look whether its deadline is over. */
  readonly ignoresDeadline?: boolean;
  /** What `apply` takes for its plan. */
  readonly plan?: (planned: PlannedDefinition) => Partial<PlannedDefinition>;
  /** `apply` goes on with the last update where the outcome of one before it is not known. */
  readonly goesOn?: boolean;
  /** Posts to a resolved incident as well. */
  readonly reopens?: boolean;
  /** A second signal ends the process, whatever it has sent. */
  readonly holdsNoExit?: boolean;
  /** Reads a list, where the service has none. */
  readonly lists?: boolean;
  /** A create does not look at the list of the service before it is sent. */
  readonly looksAtNothing?: boolean;
  /** The key of an alert. */
  readonly dedupKey?: (start: Start) => string;
}
