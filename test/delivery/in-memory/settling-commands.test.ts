// The commands that a failure prints for an operation run as they are printed: `journal settle` refuses an operation whose
// outcome is known, and an id that was never sent.
import { describe, expect, it } from "vitest";
import { settlingCommands, severalFailure, uncertainFailure } from "../../../src/delivery/failures.ts";
import type { ClientIds, OperationLog } from "../../../src/journal/events.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import { numberedId } from "../../harness/builders.ts";
import { allLogs, logOf } from "../all-logs.ts";
import { openScripted } from "./deliveries.ts";

function commandsOf(log: OperationLog, ids: ClientIds): readonly string[] {
  const journal = { known: () => ({ ids }) } as unknown as Journal;
  return settlingCommands({ journal }, log).map(({ command }) => command);
}

describe.each<ClientIds>(["unknown", "honoured", "ignored"])("where ids are %s", (mode) => {
  it("a command settles only what is not known, by an id that was sent", () => {
    for (const log of allLogs(4)) {
      const settling = commandsOf(log, mode).filter((command) => command.includes("journal settle"));
      expect(settling.length > 0).toBe(log.uncertain !== undefined);
      const own = settling.some((each) => each.includes("--created") && !each.includes("--service-id"));
      if (own) expect(log.mayBeFoundById).toBe(true);
    }
  });
});

describe("without a journal", () => {
  it("no command settles what the run has sent", () => {
    const { options } = openScripted([]);
    const log = logOf("sending with id");
    const { details, hint } = uncertainFailure({ ...options, noJournal: true }, log, undefined);
    expect(JSON.stringify([hint, details.commands])).not.toContain("settle");
    // A service may describe no list.
    expect(JSON.stringify(details.commands)).not.toContain("incident list");
    expect(hint).toContain("run it again only if it is not there");
    const several = severalFailure({ ...options, noJournal: true }, log, [numberedId(1)]);
    expect(JSON.stringify([several.hint, several.details.commands])).not.toContain("settle");
    expect(severalFailure(options, log, [numberedId(1)]).hint).toContain("settle it");
  });
});

it("several updates that may be a refused one are looked at in their incident", () => {
  const { options } = openScripted([]);
  const change = { kind: "update", incidentId: numberedId(3), notify: false } as const;
  const log = { ...logOf("sending with id, refused"), change };
  const { details } = severalFailure(options, log, [numberedId(1), numberedId(2)]);
  expect(details.commands?.map(({ command }) => command)).toEqual([`incident get ${numberedId(3)}`]);
});
