// The drill of a fleet, small and with a fixed seed; `FLEET_RUNS=200` makes it long, with 8 processes.
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { type Kind, kinds } from "../drill.ts";
import { type PushFault, startGitServer } from "../journal/git-server.ts";
import { runFleetDrill, type SharedJournal } from "./fleet-drill.ts";

const runs = Number(process.env.FLEET_RUNS ?? 1);
const seed = Number(process.env.DRILL_SEED ?? 20_261_122);
const processes = process.env.FLEET_RUNS === undefined ? 4 : 8;

const pushFaults: readonly PushFault[] = ["lose-answer", "cut"];

async function openGit(folder: string): Promise<SharedJournal> {
  const { close, failNext, journal } = await startGitServer(folder);
  return { location: journal, disturb: (dice) => failNext(dice.pick(pushFaults)), close };
}

describe.skipIf(isMissing("git"))("a fleet that shares a journal in git", () => {
  it.each(Object.keys(kinds) as Kind[])(
    "declares each incident at most once, and loses none silently: %s",
    { timeout: 0 },
    async (kind) => {
      const options = { seed, runs, processes, kind, folder: temporaryFolder(), openJournal: openGit };
      const tally = await runFleetDrill(options);
      if (process.env.FLEET_RUNS) process.stdout.write(`${kind}: ${JSON.stringify(tally)}\n`);
      expect(tally.troubles).toEqual([]);
      expect(tally).toMatchObject({ runs, duplicates: 0, silentLosses: 0 });
    },
  );
});
