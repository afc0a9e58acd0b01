// The places where the drill keeps its journal: the folder of one machine; git over HTTP and PostgreSQL, each behind a link
// that fails; and for the control a folder of each machine, which is not shared.
import { createTables } from "../../../src/journal/postgres/sequences.ts";
import { type PostgresCluster, startPostgres } from "../../harness/postgres.ts";
import { openToxicLink, type ToxicLink, type Toxin } from "../../harness/toxic-link.ts";
import { startGitServer } from "../../journal/git/server.ts";
import type { Dice } from "../dice.ts";

/** A journal for one run of the drill. */
export interface DrillJournal {
  /** For INCIDENT_CLI_JOURNAL. */
  readonly location: string;
  readonly isOneMachine: boolean;
  /** Without a shared journal the machines have only the list in common, and the control takes that away too. */
  readonly hasList: boolean;
  /** Undefined for a journal that is not shared. */
  readonly link?: DrillLink;
  close(): Promise<void>;
}

export interface DrillLink {
  /** Makes the link fail as the disturbance says, until `mend`. */
  disturb(disturbance: Disturbance): void;
  mend(): void;
}

/** `lost commit`: the next append arrives and is carried out, and its answer cuts the connection. */
export type Disturbance = "lost commit" | Toxin;

/** The most bytes that pass before a link fails: about those of the longest exchange. */
const longestExchange = 6000;

export function pickDisturbance(dice: Dice): Disturbance {
  const direction = dice.pick(["requests", "answers"] as const);
  const does = dice.pick(["lost commit", "lost commit", "cuts", "cuts", "swallows", "delays"] as const);
  const size = dice.roll();
  switch (does) {
    case "lost commit":
      return does;
    case "delays":
      return { does, direction, milliseconds: Math.floor(size * 400) };
    default:
      // Many exchanges are short.
      return { does, direction, after: Math.floor(size ** 3 * longestExchange) };
  }
}

export interface DrillStore {
  /** `folder` is empty, `run` a name of its own. */
  open(folder: string, run: string): Promise<DrillJournal>;
  close(): void;
}

const noPlace = { close: () => undefined };
const shared = { isOneMachine: false, hasList: true };

const inFolders = (isOneMachine: boolean) => async (): Promise<DrillStore> => ({
  ...noPlace,
  open: async () => ({
    location: "folder",
    isOneMachine,
    hasList: isOneMachine,
    close: async () => undefined,
  }),
});

export const stores = {
  "one machine": inFolders(true),
  git: async () => ({ ...noPlace, open: openGit }),
  postgres: openPostgres,
  "folder of each machine": inFolders(false),
} as const satisfies Record<string, () => Promise<DrillStore>>;
export type StoreName = keyof typeof stores;

/** A repository for each run. */
async function openGit(folder: string): Promise<DrillJournal> {
  const server = await startGitServer(folder);
  server.openToAll();
  const link = await openToxicLink(Number(new URL(server.url).port));
  return {
    ...shared,
    location: `git+http://127.0.0.1:${link.port}/journal.git`,
    link: linkOf(link, "POST /journal.git/git-receive-pack"),
    async close() {
      await link.close();
      await server.close();
    },
  };
}

/** A cluster for all runs, and a scope for each. */
async function openPostgres(): Promise<DrillStore> {
  const cluster: PostgresCluster = await startPostgres();
  cluster.sql(createTables);
  return {
    async open(_, run) {
      const link = await openToxicLink(cluster.port);
      const url = `postgres://postgres@127.0.0.1:${link.port}/postgres?scope=${run}`;
      return {
        ...shared,
        location: url,
        link: linkOf(link, "INSERT INTO incident_journal"),
        close: () => link.close(),
      };
    },
    close: () => cluster.remove(),
  };
}

function linkOf(link: ToxicLink, append: string): DrillLink {
  return {
    disturb(disturbance) {
      if (disturbance === "lost commit") link.loseAnswerTo(append);
      else link.toxin = disturbance;
    },
    mend() {
      link.toxin = "passes";
    },
  };
}
