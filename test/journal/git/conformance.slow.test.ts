// The git engine against the conformance suite, on bare repositories of this machine.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { openGit } from "../../../src/journal/git/sequences.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { describeSequences } from "../conformance.ts";
import { gitDeps } from "./deps.ts";

describeSequences("git", () => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q", "--bare", join(folder, "j.git")]);
  // A commit has its time in whole seconds.
  const { system, ...deps } = gitDeps(folder);
  let seconds = 0;
  const clock = { ...system.clock, now: () => Date.now() + 1000 * seconds++ };
  const open = () =>
    openGit(
      { ...deps, system: { ...system, clock } },
      { url: `file://${folder}/j.git`, refs: "refs/incident" },
    );
  // Each of them starts some forty programs.
  return { open, writers: 4 };
});
