// The verdict of the gate: a pure function of the incidents that are known, and of the list of the service. An incident
// that was not read blocks.
import { cancellation, Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import type { System } from "../../platform/context.ts";
import { advise, argv } from "../../text/advice.ts";
import { localTime } from "../../text/date-times.ts";
import { countOf } from "../../text/lengths.ts";
import type { Setting } from "../../workspace/setting.ts";
import { unprovenUrl } from "../shared/doubts.ts";
import { oldestIn } from "../shared/incident-list.ts";
import { deletedCommand, type Standing } from "./known-incidents.ts";

export type ListRead =
  /** The service describes none; `reason` is a clause. */
  | { readonly is: "none"; readonly reason: string }
  /** `isDescribed`: its document could be read. */
  | { readonly is: "unread"; readonly isDescribed: boolean; readonly problem: string }
  | { readonly is: "read"; readonly isComplete: boolean; readonly entries: readonly Incident[] };

/** How much of the service a run can see. */
export interface Scope {
  readonly list: ListRead;
  /** The message of a journal that cannot be read: it may know of an open incident. */
  readonly broken?: string | undefined;
  /** Whether the journal is that of this machine, and never declared at this service, and no file names an incident. */
  readonly isEmpty: boolean;
  /** Whether this run proves the base URL: only then does a 404 say that an incident does not exist. */
  readonly isProven: boolean;
  readonly baseUrl: Setting<string>;
  /** `--allow-unknown` */
  readonly allowsUnknown: boolean;
}

export function those<K extends Standing["is"]>(standings: readonly Standing[], ...kinds: readonly K[]) {
  return standings.filter((each): each is Standing & { readonly is: K } =>
    kinds.some((is) => is === each.is),
  );
}

/** Undefined where nothing blocks. The system tells why incidents are unread. */
export function failureOf(
  standings: readonly Standing[],
  scope: Scope,
  { localOffset, signal }: Pick<System, "localOffset" | "signal">,
): Failure | undefined {
  const open = those(standings, "open").map(({ known }) => known.id);
  const unread = those(standings, "unread");
  const part = `${standings.length - unread.length} of ${standings.length} known incidents were read`;
  if (open.length > 0) {
    const command = ["incident", "get", ...open.sort(), "--wait-for", "resolved"];
    const message = `blocked: ${areOpen(open.length)}${unread.length > 0 ? `; ${part}` : ""}`;
    return new Failure("blocked", message, {
      hint: `wait until ${open.length === 1 ? "it is" : "they are"} resolved`,
      commands: [{ command, purpose: "wait for that" }],
    });
  }
  if ((unread.length > 0 || scope.list.is === "unread") && signal.aborted)
    return cancellation(signal, `${part}, so it is not known whether one is open`);
  if (!scope.isProven && those(standings, "gone", "not-shown").length > 0) {
    const { baseUrl } = scope;
    return new Failure("usage", unprovenUrl(baseUrl), {
      hint: advise`check the base URL from ${baseUrl.origin}; ${argv`incident doctor`} checks it`,
    });
  }
  const unknown = unknownFailure(standings, scope);
  if (unknown !== undefined || unread.length === 0) return unknown ?? scopeFailure(scope);
  const reached = standings[standings.findIndex(({ is }) => is === "unread") - 1]?.known.at ?? "";
  const range = reached === "" ? "" : `, those declared since ${localTime(reached, localOffset)}`;
  return new Failure("unavailable", `${part}${range}, and none of these blocks`, {
    hint: "run it again, which reads the next ones; or bound it with --since, such as --since 30d",
    retryable: true,
  });
}

function unknownFailure(standings: readonly Standing[], { broken }: Scope): Failure | undefined {
  const unsettled = those(standings, "unsettled").map(({ known }) => known.id);
  if (unsettled.length > 0)
    return new Failure("unavailable", `it is not known whether ${areOpen(unsettled.length)}`, {
      hint: "check the status page, then settle each create; another run of the gate does not help before",
      commands: unsettled.map((id) => ({
        command: argv`incident journal settle ${id}`,
        purpose: "settle it",
      })),
    });
  const hidden = those(standings, "hidden");
  const count = those(standings, "unknown", "not-shown").length + hidden.length + (broken ? 1 : 0);
  if (count === 0) return undefined;
  if (hidden.length < count)
    return new Failure("unavailable", `the service gave no answer about whether ${areOpen(count)}`, {
      hint: advise`run it again; ${argv`incident journal list`} shows the creates without a known outcome`,
      retryable: true,
    });
  return new Failure("unavailable", `the service does not show ${countOf(count, "known incident")}`, {
    hint: "run it again, since a cache or a replica may be behind; or settle each one that was deleted",
    commands: hidden.map(({ operation }) => ({
      command: deletedCommand(operation),
      purpose: "it was deleted",
    })),
    retryable: true,
  });
}

/** The failure for incidents that the service may have, and that nothing here knows. */
function scopeFailure({ allowsUnknown, baseUrl, isEmpty, list }: Scope): Failure | undefined {
  if (list.is === "unread" && (list.isDescribed || !allowsUnknown))
    return new Failure("unavailable", `it is not known what is open at the service: ${list.problem}`, {
      hint: list.isDescribed
        ? "run it again"
        : "run it again; or look only at what the journal and the files name, with --allow-unknown",
      retryable: true,
    });
  if (list.is === "read" && !list.isComplete) {
    const oldest = oldestIn(list.entries);
    const range = oldest === undefined ? "" : `, back to ${oldest}`;
    const message = `the list of the service was not read to its end${range}, and none of these blocks`;
    return new Failure("unavailable", message, {
      hint: "the service may have more, which are older: bound the gate with --since, such as --since 30d",
    });
  }
  if (list.is !== "none" || !isEmpty || allowsUnknown) return undefined;
  const message = `no incident is known here, so it is not known whether one is open: nothing was declared at ${baseUrl.value} from here, and ${list.reason}`;
  return new Failure("usage", message, {
    hint: "set INCIDENT_CLI_JOURNAL to a journal that the machines share, name the definitions with -f, or pass anyway with --allow-unknown",
  });
}

const areOpen = (count: number) => `${countOf(count, "known incident")} ${count === 1 ? "is" : "are"} open`;
