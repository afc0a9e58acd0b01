// The digest that a person confirms: of everything that the requests of a run say, in their order. Pure.
import type { SaidRequest } from "../../api/request.ts";
import { jsonDigest } from "../../text/json-digest.ts";
import type { EqualOnes } from "../changes/plan-update.ts";

/** The requests of a run, before they are sent. */
export interface Proposal {
  /** The memory that the run asks for. */
  readonly journal: string;
  /** A body has an id only where the definition or `--key` chose it. */
  readonly requests: readonly SaidRequest[];
  /** `--dedup-key`: the id depends on the incidents that are open when it is sent. */
  readonly dedupKey?: string | undefined;
  /** `--new`: another incident or update, even beside the same one. */
  readonly isNew: boolean;
  /** With `--new`: the equal updates before this one, so that one confirmation is one update. */
  readonly equalOnes?: EqualOnes | undefined;
}

export function digestOf({ dedupKey, equalOnes, isNew, journal, requests }: Proposal): string {
  return `sha256:${jsonDigest([dedupKey, isNew, equalOnes, journal, requests])}`;
}
