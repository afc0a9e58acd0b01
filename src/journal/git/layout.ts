// Which ref holds a log, and which refs list the logs. A journal keeps the layout that it began with.
import type { Append } from "../event-store.ts";
import type { Format } from "./event-commit.ts";
import type { RefUpdate, ScratchRepository } from "./scratch-repository.ts";

/** An event that is to be appended, in its commit. */
export interface Listed {
  readonly append: Pick<Append, "isUnsettled" | "log" | "number">;
  readonly commit: string;
}

export interface Layout {
  readonly format: Format;
  refOf(log: string): string;
  /** The log that a ref holds alone; undefined where it may hold several. */
  onlyLog(ref: string): string | undefined;
  /** The patterns of these refs, for a fetch. */
  patternsOf(refs: readonly string[]): readonly string[];
  /** Reads the lists of logs as they are on the remote. False where another layout was begun there meanwhile. */
  readLists(): Promise<boolean>;
  /** Moves the lists together with the events. */
  listUpdates(listed: readonly Listed[]): Promise<readonly RefUpdate[]>;
  /** Told after every push whether its updates were made. False where other updates may be made. */
  afterPush(updates: readonly RefUpdate[], isDone: boolean): boolean;
  unsettled(): Promise<readonly string[]>;
  logs(prefix: string): Promise<readonly string[]>;
  newest(limit: number): Promise<readonly string[]>;
}

export interface LayoutDeps {
  readonly repository: ScratchRepository;
  /** The refs of the journal begin with it. */
  readonly root: string;
  readonly now: () => number;
  readonly nonce: () => string;
}
