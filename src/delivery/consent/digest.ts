// The digest that a person confirms: of everything that a run would send, and of the service that would get it. Pure.
import type { CreateBody } from "../../incident/create-body.ts";
import { hash } from "../../journal/journal.ts";
import { cutText } from "../../text/lengths.ts";

/** What a run would send. */
export interface Proposal {
  readonly baseUrl: string;
  /** Undefined where no account is sent. */
  readonly account: string | undefined;
  readonly accountHeader: string;
  /** `--dedup-key`: the id depends on what is open when it is sent. */
  readonly dedupKey?: string | undefined;
  /** `--new`: another incident, even beside the same one. */
  readonly isNew: boolean;
  /** The bodies in their order. A body has an id only where the definition or `--key` chose it. */
  readonly bodies: readonly CreateBody[];
}

export const digestPattern = /^sha256:[0-9a-f]{64}$/;

export function digestOf({ account, accountHeader, baseUrl, bodies, dedupKey, isNew }: Proposal): string {
  return `sha256:${hash([baseUrl, account, accountHeader, dedupKey, isNew, bodies])}`;
}

/** The most changes that a message lists, and the most characters of a value in it. */
const mostChanges = 8;
const longestValue = 60;

/** What differs between two proposals, as `bodies[0].name: "Old" → "New"`. */
export function changesBetween(before: Proposal, now: Proposal): readonly string[] {
  const [old, current] = [leavesOf(before), leavesOf(now)];
  const changed = [...new Set([...old.keys(), ...current.keys()])].filter(
    (path) => old.get(path) !== current.get(path),
  );
  const show = (value: string | undefined) => (value === undefined ? "none" : cutText(value, longestValue));
  const lines = changed.map((path) => `${path}: ${show(old.get(path))} → ${show(current.get(path))}`);
  const more = lines.length - mostChanges;
  return more > 0 ? [...lines.slice(0, mostChanges), `and ${more} more`] : lines;
}

/** Every value that is no object and no list, as JSON, by its path. */
function leavesOf(value: unknown, path = ""): Map<string, string> {
  if (value === undefined) return new Map();
  if (typeof value !== "object" || value === null) return new Map([[path, JSON.stringify(value)]]);
  const nameOf = (key: string) => (Array.isArray(value) ? `[${key}]` : path === "" ? key : `.${key}`);
  return new Map(Object.entries(value).flatMap(([key, each]) => [...leavesOf(each, path + nameOf(key))]));
}
