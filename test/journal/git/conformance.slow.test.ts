// The git store against the conformance suite, on bare repositories of this machine.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { temporaryFolder } from "../../harness/incident.ts";
import { describeEventStore } from "../event-store.ts";
import { createGitStore } from "../open-stores.ts";
import { gitDeps } from "./deps.ts";

describeEventStore("git", () => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q", "--bare", join(folder, "j.git")]);
  // A commit has its time in whole seconds.
  const { system, ...deps } = gitDeps(folder);
  let seconds = 0;
  const clock = { ...system.clock, now: () => Date.now() + 1000 * seconds++ };
  const open = () =>
    createGitStore(
      { ...deps, system: { ...system, clock } },
      { kind: "git", url: `file://${folder}/j.git`, refs: "refs/incident" },
      { secrets: [] },
    );
  // Each of them starts some forty programs.
  return { open, isShared: true, writers: 4 };
});
