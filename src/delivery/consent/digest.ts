// The digest that a person confirms: of everything that the requests of a run say, in their order. Pure.
import type { SaidRequest } from "../../api/request.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import { cutText } from "../../text/lengths.ts";

/** The requests of a run, before they are sent. */
export interface Proposal {
  /** The memory that the run asks for. */
  readonly journal: string;
  /** A body has an id only where the definition or `--key` chose it. */
  readonly requests: readonly SaidRequest[];
  /** `--dedup-key`: the id depends on the incidents that are open when it is sent. */
  readonly dedupKey?: string | undefined;
  /** `--new`: another incident, even beside the same one. */
  readonly isNew: boolean;
  /** Any part of it may be sent: it holds the whole definitions, also the parts that the service has. */
  readonly permitsParts?: true;
}

export const digestPattern = /^sha256:[0-9a-f]{64}$/;

export function digestOf({ dedupKey, isNew, journal, permitsParts, requests }: Proposal): string {
  return `sha256:${jsonDigest([dedupKey, isNew, journal, requests, ...(permitsParts ? ["parts"] : [])])}`;
}

/** The most changes that a message lists, and the most characters of a value in it. */
const mostChanges = 8;
const longestValue = 60;

/** The difference of two proposals, as `body.name: "Old" → "New"`; of several requests with the number of each. */
export function changesBetween(before: Proposal, now: Proposal): readonly string[] {
  const length = Math.max(before.requests.length, now.requests.length);
  const { requests: _, ...rest } = now;
  const { requests: __, ...earlierRest } = before;
  const numbersOf = new Map<string, number[]>();
  for (let at = 0; at < length; at += 1)
    for (const change of changesIn(before.requests[at], now.requests[at]))
      numbersOf.set(change, [...(numbersOf.get(change) ?? []), at]);
  const ofRequests = [...numbersOf].flatMap(([change, numbers]) =>
    numbers.length === length ? [change] : numbers.map((at) => `request ${at + 1}: ${change}`),
  );
  const lines = [...changesIn(earlierRest, rest), ...ofRequests];
  const more = lines.length - mostChanges;
  return more > 0 ? [...lines.slice(0, mostChanges), `and ${more} more`] : lines;
}

function changesIn(before: unknown, now: unknown): readonly string[] {
  const [old, current] = [leavesOf(before), leavesOf(now)];
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter(
    (path) => old.get(path) !== current.get(path),
  );
  const show = (value: string | undefined) => (value === undefined ? "none" : cutText(value, longestValue));
  return changed.map((path) => `${path}: ${show(old.get(path))} → ${show(current.get(path))}`);
}

/** Every value that is no object and no list, as JSON, by its path. */
function leavesOf(value: unknown, path = ""): Map<string, string> {
  if (value === undefined) return new Map();
  if (typeof value !== "object" || value === null) return new Map([[path, JSON.stringify(value)]]);
  const nameOf = (key: string) => (Array.isArray(value) ? `[${key}]` : path === "" ? key : `.${key}`);
  return new Map(Object.entries(value).flatMap(([key, each]) => [...leavesOf(each, path + nameOf(key))]));
}
