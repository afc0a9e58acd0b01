// The verdict of the gate: a pure function of the incidents that are known, and of the list of the service. An incident
// that was not read blocks.
import { cancellation, Failure } from "../../failure.ts";
import type { Incident } from "../../incident/wire.ts";
import { advise, argv } from "../../text/advice.ts";
import { countOf } from "../../text/lengths.ts";
import type { Setting } from "../../workspace/setting.ts";
import type { Standing } from "./known-incidents.ts";

/** `isDescribed`: the service's document could be read. */
export type ListRead = { readonly isDescribed: boolean } & (
  | /** The service describes none; `reason` is a clause. */ { readonly is: "none"; readonly reason: string }
  | { readonly is: "unread"; readonly problem: string }
  | { readonly is: "read"; readonly isComplete: boolean; readonly entries: readonly Incident[] }
);

/** How much of the service a run can see. */
export interface Scope {
  readonly list: ListRead;
  /** The message of a journal that cannot be read: it may know of an open incident. */
  readonly broken?: string | undefined;
  /** Whether the journal is that of this machine, and never declared at this service, and no file names an incident. */
  readonly isEmpty: boolean;
  readonly baseUrl: Setting<string>;
  /** `--allow-unknown` */
  readonly allowsUnknown: boolean;
}

export function those<K extends Standing["is"]>(standings: readonly Standing[], ...kinds: readonly K[]) {
  return standings.filter((each): each is Standing & { readonly is: K } =>
    kinds.some((is) => is === each.is),
  );
}

/** Undefined where nothing blocks. The signal tells why incidents are unread. */
export function failureOf(
  standings: readonly Standing[],
  scope: Scope,
  signal: AbortSignal,
): Failure | undefined {
  const open = those(standings, "open").map(({ known }) => known.id);
  const unread = those(standings, "unread").length;
  const part = `${standings.length - unread} of ${standings.length} known incidents were read`;
  if (open.length > 0) {
    const command = ["incident", "get", ...open.sort(), "--wait-for", "resolved"];
    const message = `blocked: ${areOpen(open.length)}${unread > 0 ? `; ${part}` : ""}`;
    return new Failure("blocked", message, {
      hint: `wait until ${open.length === 1 ? "it is" : "they are"} resolved`,
      commands: [{ command, purpose: "wait for that" }],
    });
  }
  const { baseUrl, list } = scope;
  if ((unread > 0 || list.is === "unread") && signal.aborted)
    return cancellation(signal, `${part}, so it is not known whether one is open`);
  const wasRead = standings.some(({ is, isMissing }) => !isMissing && is !== "unread" && is !== "unknown");
  // Only then does a 404 say that an incident does not exist.
  const isProven = wasRead || list.isDescribed;
  if (!isProven && standings.some(({ isMissing }) => isMissing)) {
    const message = `each read was answered with 404, and nothing shows that ${baseUrl.value} is the base URL of the service`;
    return new Failure("usage", message, {
      hint: advise`check the base URL from ${baseUrl.origin}; ${argv`incident doctor`} checks it`,
    });
  }
  const failure = unknownFailure(standings, scope);
  if (failure !== undefined || unread === 0) return failure ?? scopeFailure(scope);
  return new Failure("unavailable", `${part}, and none of these blocks`, {
    hint: "run it again, which reads the next ones; or bound it with --since, such as --since 30d",
    retryable: true,
  });
}

function unknownFailure(standings: readonly Standing[], { broken }: Scope): Failure | undefined {
  const unknown = those(standings, "unknown");
  const count = unknown.length + (broken === undefined ? 0 : 1);
  if (count === 0) return undefined;
  const commands = unknown.flatMap(({ settle }) => settle ?? []);
  return new Failure("unavailable", `it is not known whether ${areOpen(count)}`, {
    hint: `run it again${commands.length > 0 ? "; or check the status page, and settle what it shows" : ""}`,
    commands,
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
    const message = "the list of the service was not read to its end, and none of these blocks";
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
