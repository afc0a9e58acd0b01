// The backup of a journal in git, as docs/journal.md describes it.
import { it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { checkBackup } from "../backup.ts";
import { startGitServer } from "./server.ts";

it.skipIf(isMissing("git"))("a backup of a journal is restored as the page says, in git", async () => {
  const [one, other] = [await startGitServer(temporaryFolder()), await startGitServer(temporaryFolder())];
  onTestFinished(async () => {
    await one.close();
    await other.close();
  });
  await checkBackup(one.journal, other.journal);
});
