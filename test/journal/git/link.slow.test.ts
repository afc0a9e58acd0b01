// The git store over a link that cuts or swallows a connection after any number of bytes, and with a git that hangs.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { EventStore } from "../../../src/journal/event-store.ts";
import { definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createClock, createWorld, temporaryFolder } from "../../harness/incident.ts";
import { findProgram, isMissing } from "../../harness/programs.ts";
import { openToxicLink } from "../../harness/toxic-link.ts";
import { appendOf, checkLog } from "../event-store.ts";
import { createGitStore } from "../open-stores.ts";
import { gitDeps } from "./deps.ts";
import { startGitServer } from "./server.ts";

const log = "op-0123456789abcdef";

const open = (folder: string, url: string): Promise<EventStore> =>
  createGitStore(gitDeps(folder), { kind: "git", url, refs: "refs/incident" }, { secrets: [] });

/** From within the first header to after the last byte of a push. CASES=all cuts both directions at each of them. */
const sizes = [0, 40, 150, 240, 300, 400, 600, 900, 1200, 1500, 2000, 5000] as const;

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
    "that cuts %s after any number of bytes: an event is in the log once, and the answer is right",
    async (direction) => {
      const { folder, link, server } = await openLinkedServer();
      const direct = await open(folder, server.url);
      const url = server.url.replace(/:\d+/, `:${link.port}`);
      const own = sizes.filter(
        (_, at) => process.env.CASES === "all" || at % 2 === Number(direction === "answers"),
      );
      for (const [number, after] of own.entries()) {
        const store = await open(folder, url);
        // It knows the log, so that the push meets the cut.
        await store.read(log);
        link.toxin = { does: "cuts", direction, after, once: true };
        const append = appendOf(number, `writer-${number}`);
        const [result] = await store.append([append]);
        link.toxin = "passes";
        const place = `${direction}, ${after} bytes`;
        expect(result, place).toBe("ours");
        const read = await direct.read(log);
        expect(read.events, place).toHaveLength(number + 1);
        checkLog(read, [[append, result as "ours"]], place);
      }
    },
  );

  it("that swallows the answer to a push: the event is looked for, and is in the log once", async () => {
    const { folder, link, server } = await openLinkedServer();
    const store = await open(folder, server.url.replace(/:\d+/, `:${link.port}`));
    await store.read(log);
    link.toxin = { does: "swallows", direction: "answers", after: 0, once: true };
    expect(await store.append([appendOf(0, "me")])).toEqual(["ours"]);
    expect((await (await open(folder, server.url)).read(log)).events).toHaveLength(1);
  });
});

describe.skipIf(isMissing("git"))("a git that hangs", () => {
  it("is ended after 20 s, and nothing was sent", async () => {
    const folder = temporaryFolder();
    const server = await startGitServer(folder);
    onTestFinished(() => server.close());
    const script = `#!/bin/sh\ncase "$*" in *fetch*) sleep 600 ;; esac\nexec ${findProgram("git")} "$@"\n`;
    writeFileSync(join(folder, "git"), script);
    chmodSync(join(folder, "git"), 0o755);
    const world = createWorld({
      clock: { ...createClock(), now: Date.now, monotonic: () => performance.now() },
      env: { PATH: `${folder}:${process.env.PATH}`, INCIDENT_CLI_JOURNAL: server.journal },
      files: { "x.yaml": definitionYaml({ id }) },
    });
    const { exitCode, requests, stderr } = await world.run("create -f x.yaml");
    expect({ exitCode, requests }).toEqual({ exitCode: 7, requests: [] });
    expect(
      stderr.match(/cannot be read: git did not end within 20 seconds\n {2}next: nothing was sent;/g),
    ).toHaveLength(1);
  });
});
