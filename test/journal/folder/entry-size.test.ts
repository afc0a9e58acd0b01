// A writer of the state directory refuses what its reader would refuse.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPrivateFolder, sizeLimit } from "../../../src/journal/folder/private-files.ts";
import { temporaryFolder } from "../../harness/incident.ts";

it("writes an entry of the limit, which it reads, and no larger one", () => {
  const root = temporaryFolder();
  const deps = {
    files: process.getBuiltinModule("fs"),
    system: { user: process.getuid?.(), random: { guid: () => crypto.randomUUID() } as never },
  };
  const folder = openPrivateFolder(deps, join(root, "journal"));
  folder.create("a", "x".repeat(sizeLimit));
  expect(folder.read("a")).toHaveLength(sizeLimit);
  expect(() => folder.create("b", "x".repeat(sizeLimit + 1))).toThrow(
    "its journal is larger than 64 MiB; when no incident of it is open, begin another with INCIDENT_CLI_STATE_DIR",
  );
  expect(readdirSync(join(root, "journal"))).toEqual(["a"]);
});
