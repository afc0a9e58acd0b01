// The backup of a journal in git, as docs/journal.md describes it.
import { it } from "vitest";
import { isMissing } from "../../harness/programs.ts";
import { checkBackup } from "../backup.ts";
import { createLocalJournal } from "./world.ts";

it.skipIf(isMissing("git"))("a backup of a journal is restored as the page says, in git", async () => {
  await checkBackup(createLocalJournal().journal, createLocalJournal().journal);
});
