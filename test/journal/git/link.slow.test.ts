// The git engine over a link that cuts or swallows a connection after any number of bytes.
import { describe, expect, it, onTestFinished } from "vitest";
import { ignoreFailure } from "../../../src/failure.ts";
import { openGit } from "../../../src/journal/git/sequences.ts";
import type { Sequence } from "../../../src/journal/sequence.ts";
import { temporaryFolder } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { openToxicLink } from "../../harness/toxic-link.ts";
import { entryOf, name, writersOf } from "../conformance.ts";
import { gitDeps } from "./deps.ts";
import { startGitServer } from "./server.ts";

const open = async (folder: string, url: string): Promise<Sequence> =>
  (await openGit(gitDeps(folder), { url, refs: "refs/incident" })).open(name);

/** From within the first header to after the last byte of a push. CASES=all cuts both directions at each of them. */
const sizes = [0, 40, 150, 240, 300, 400, 600, 900, 1200, 1500, 2000, 5000] as const;

/** As the journal does it: without an answer, the entry is looked for, and appended again where it is not there. */
async function appendSurely(sequence: Sequence, number: number, writer: string) {
  const result = await sequence.append(number, entryOf(writer)).catch(ignoreFailure);
  if (result !== undefined) return result;
  const writers = (await writersOf(sequence)).slice(1);
  return writers[number] === writer ? "ours" : sequence.append(number, entryOf(writer));
}

async function openLinkedServer() {
  const folder = temporaryFolder();
  const server = await startGitServer(folder);
  server.openToAll();
  const link = await openToxicLink(Number(new URL(server.url).port));
  onTestFinished(async () => {
    await link.close();
    await server.close();
  });
  return { folder, link, server };
}

describe.skipIf(isMissing("git"))("a journal in git over a link", () => {
  it.each(["requests", "answers"] as const)(
    "that cuts %s after any number of bytes: an entry is there once, and the answer is right",
    async (direction) => {
      const { folder, link, server } = await openLinkedServer();
      const direct = await open(folder, server.url);
      const url = server.url.replace(/:\d+/, `:${link.port}`);
      const own = sizes.filter(
        (_, at) => process.env.CASES === "all" || at % 3 === Number(direction === "answers"),
      );
      for (const [number, after] of own.entries()) {
        const sequence = await open(folder, url);
        // It knows the sequence, so that the push meets the cut.
        await sequence.read(0);
        link.toxin = { does: "cuts", direction, after, once: true };
        const result = await appendSurely(sequence, number, `w${number}`);
        link.toxin = "passes";
        const place = `${direction}, ${after} bytes`;
        expect(result, place).toBe("ours");
        expect((await writersOf(direct)).slice(1), place).toEqual(
          Array.from({ length: number + 1 }, (_, at) => `w${at}`),
        );
      }
    },
  );

  it("that swallows the answer to a push: the entry is looked for, and is there once", async () => {
    const { folder, link, server } = await openLinkedServer();
    const sequence = await open(folder, server.url.replace(/:\d+/, `:${link.port}`));
    await sequence.read(0);
    link.toxin = { does: "swallows", direction: "answers", after: 0, once: true };
    expect(await appendSurely(sequence, 0, "me")).toBe("ours");
    expect(await writersOf(await open(folder, server.url))).toEqual([0, "me"]);
  });
});
