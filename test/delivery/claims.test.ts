// Processes that meet over one content or one log, interleaved at a single file operation: who was stopped there
// goes on only after the others have done all of their work.
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OperationKey } from "../../src/delivery/journal/events.ts";
import { openState, type State } from "../../src/delivery/journal/open-state.ts";
import type { Files } from "../../src/platform/context.ts";
import { temporaryFolder } from "../harness/incident.ts";

const service = { baseUrl: "https://api.example.com", account: undefined };
const content = { body: { name: "Checkout fails" }, digest: "digest" } as never;
const claimed = { digest: "digest", occurrence: 1 };
const day = 24 * 60 * 60 * 1000;

function createProcess(folder: string, files: Files = fs): State & { readonly at: () => string } {
  let time = Date.parse("2026-11-20T06:31:00Z");
  const clock = { now: () => ++time, sleep: async () => undefined };
  const random = { guid: () => crypto.randomUUID(), fraction: () => 0 };
  const state = openState({ files, random, user: undefined, clock, startedAt: time }, folder);
  return { ...state, at: () => new Date(clock.now()).toISOString() };
}

/** Files whose first link to what `pattern` names is made only when `meanwhile` has been given the way. */
function stoppedAt(pattern: RegExp, meanwhile: (link: () => void) => void): Files {
  let stopped = false;
  return {
    ...fs,
    linkSync(from, to) {
      const link = () => fs.linkSync(from, to);
      if (stopped || !pattern.test(String(to))) return link();
      stopped = true;
      meanwhile(link);
    },
  };
}

function send({ at, journal }: ReturnType<typeof createProcess>, key: OperationKey) {
  const known = journal.read(key);
  return journal.add(key, known, {
    type: "sending",
    at: at(),
    withId: true,
    deadline: 1,
    ...(known === undefined && { content }),
  });
}

async function declare(process: ReturnType<typeof createProcess>, key: OperationKey) {
  const { at, journal } = process;
  const sent = await send(process, key);
  await journal.add(key, sent, { type: "created", at: at(), by: "answer", serviceId: key.id });
}

describe("a process that is stopped while it claims a content", () => {
  it("takes the incident that others have declared and told, whoever tells it last", async () => {
    const folder = temporaryFolder();
    const second = createProcess(folder);
    const third = createProcess(folder);
    // What the second has to write down between two steps of the first.
    const written = temporaryFolder();
    await declare(createProcess(written), { ...service, id: "second" });
    const files = stoppedAt(/claim-/, (link) => {
      const one = second.claims.claim(service, claimed, () => "second");
      const same = third.claims.claim(service, claimed, () => "third");
      fs.cpSync(join(written, "journal"), join(folder, "journal"), { recursive: true });
      second.claims.release(one.name);
      try {
        link();
      } finally {
        third.claims.release(same.name);
      }
    });
    const { key } = createProcess(folder, files).claims.claim(service, claimed, () => "first");
    expect(key.id).toBe("second");
  });
});

describe("the list of what is unsettled", () => {
  const key = { ...service, id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };

  it("keeps what another process tidies before its marker stands", async () => {
    const folder = temporaryFolder();
    const files = stoppedAt(/journal/, (link) => {
      createProcess(folder).journal.tidy(Date.now() - day);
      link();
    });
    await send(createProcess(folder, files), key);
    expect(createProcess(folder).journal.unsettled()).toHaveLength(1);
  });

  it("has what becomes uncertain only after it was taken for settled", async () => {
    const process = createProcess(temporaryFolder());
    const { at, journal } = process;
    const sent = await send(process, key);
    const settled = await journal.add(key, sent, { type: "not-created", at: at() });
    expect(journal.unsettled()).toEqual([]);
    await journal.add(key, settled, { type: "uncertain", at: at(), reason: "no answer" });
    expect(journal.unsettled()).toHaveLength(1);
  });

  it("still has a log of a thousand events", async () => {
    const folder = temporaryFolder();
    const process = createProcess(folder);
    const { at, journal } = process;
    const sent = await send(process, key);
    await journal.add(key, sent, { type: "refused", at: at(), status: 403, message: "refused" });
    const log = join(folder, "journal");
    const [first, second] = fs.readdirSync(log).sort() as [string, string];
    for (let number = 2; number < 1000; number += 1) {
      const copy = first.replace("-000", `-${String(number).padStart(3, "0")}`);
      const name = number % 2 === 0 ? first : second;
      const text = fs.readFileSync(join(log, name), "utf8");
      fs.writeFileSync(join(log, copy), text.replace(name, copy));
    }
    await send(process, key);
    expect(journal.unsettled()).toHaveLength(1);
  });

  it("that cannot be written takes nothing back of what is known", async () => {
    const folder = temporaryFolder();
    const broken: Files = {
      ...fs,
      unlinkSync: (path) => {
        if (/unsettled/.test(String(path))) throw new Error("EIO: i/o error, unlink");
        fs.unlinkSync(path);
      },
    };
    await declare(createProcess(folder, broken), key);
    const { journal } = createProcess(folder);
    expect(journal.read(key)?.state).toBe("created");
    expect(journal.unsettled()).toEqual([]);
  });
});

describe("a log whose beginning was taken away", () => {
  it("is refused, whether or not somebody was writing it", async () => {
    const folder = temporaryFolder();
    const key = { ...service, id: "7c9e6679-7425-40de-944b-e07fc1f90ae7" };
    const process = createProcess(folder);
    const sent = await send(process, key);
    const journal = join(folder, "journal");
    for (const name of fs.readdirSync(journal)) fs.rmSync(join(journal, name));
    await process.journal.add(key, sent, { type: "uncertain", at: process.at(), reason: "no answer" });
    expect(() => createProcess(folder).journal.read(key)).toThrow("what came after it is not");
  });
});
