// `incident journal copy` copies in the direction that --to names, and in no other.
import { expect, it } from "vitest";
import { isMissing } from "../../harness/programs.ts";
import { createGitWorld, journalRefs } from "../../journal/git/world.ts";

it.skipIf(isMissing("git"))("journal copy without --to copies nothing", async () => {
  const { server, world } = createGitWorld();
  const local = { INCIDENT_CLI_JOURNAL: "folder" };
  expect((await world.run("create -f x.yaml", { env: local })).exitCode).toBe(0);
  const { exitCode, stderr, stdout } = await world.run("journal copy");
  expect({ exitCode, stderr, stdout }).toEqual({
    exitCode: 2,
    stderr:
      "error: --to must be given\n  next: add --to shared, or --to folder for the way back; nothing was copied\n",
    stdout: "",
  });
  expect(journalRefs(server)).toEqual([]);
  expect((await world.run("journal copy --to shared")).exitCode).toBe(0);
  expect(journalRefs(server)).toHaveLength(1);
});
