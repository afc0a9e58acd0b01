// Claims as 0.1.0 kept them: `claims/claim-<content>-<generation>.json`, and `told-…` once they were acknowledged.
import type { OldClaim } from "../claims.ts";
import type { OperationKey } from "../events.ts";
import { parseStored } from "../journal-errors.ts";
import type { PrivateFolder } from "./private-files.ts";

/** The last claim of a content; undefined where there is none. */
export function readOldClaim(folder: PrivateFolder, content: string): OldClaim | undefined {
  let claim: OldClaim | undefined;
  for (let generation = 0; ; generation += 1) {
    const name = `${content}-${generation}.json`;
    const text = folder.read(`claim-${name}`);
    if (text === undefined) return claim;
    const key = parseStored(name, text) as unknown as OperationKey;
    claim = { key, isAcknowledged: folder.exists(`told-${name}`) };
  }
}
