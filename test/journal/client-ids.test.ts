// What is learned of a service's support for ids: from which answers, when it is relied on, and under which name.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Failure } from "../../src/failure.ts";
import {
  type ClientIdEvidence,
  type ClientIds,
  canBeFound,
  createClientIdMemory,
} from "../../src/journal/client-ids.ts";

const service = { baseUrl: "http://service.example", account: "a" };

/** The name of a note, as each version writes it. */
function nameOf(baseUrl: string, account: string | null): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([baseUrl, account]))
    .digest("hex");
  return `service-${digest.slice(0, 40)}.json`;
}

function openNotes(texts: Readonly<Record<string, string>> = {}) {
  const kept = new Map(Object.entries(texts));
  const notes = {
    read: (name: string) => kept.get(name),
    replace: (name: string, text: string) => void kept.set(name, text),
  };
  return { kept, notes };
}

describe("the support for ids", () => {
  it.each<[readonly ClientIdEvidence[], ClientIds, ClientIds]>([
    [[], "unknown", "unknown"],
    [["honoured"], "unknown", "honoured"],
    [["honoured", "honoured"], "honoured", "honoured"],
    [["honoured", "honoured", "honoured"], "honoured", "honoured"],
    [["ignored", "ignored"], "ignored", "ignored"],
    [["unsupported", "unsupported"], "unsupported", "unsupported"],
    [["honoured", "ignored"], "unknown", "ignored"],
    [["honoured", "honoured", "ignored"], "unknown", "ignored"],
    [["ignored", "ignored", "honoured", "honoured"], "honoured", "honoured"],
    [["ignored", "honoured", "ignored"], "unknown", "ignored"],
    [["supported"], "unknown", "unknown"],
    [["honoured", "honoured", "supported"], "honoured", "honoured"],
    [["ignored", "supported", "ignored"], "ignored", "ignored"],
    [["unsupported", "supported"], "unknown", "unknown"],
    [["unsupported", "unsupported", "supported"], "unknown", "unknown"],
    [["unsupported", "supported", "unsupported"], "unknown", "unsupported"],
  ])("after %o is relied on as %s, and was last shown as %s", (answers, current, latest) => {
    const { notes } = openNotes();
    const memory = createClientIdMemory(notes, service);
    for (const answer of answers) memory.learn(answer);
    expect([memory.current(), memory.latest()]).toEqual([current, latest]);
    const later = createClientIdMemory(notes, service);
    expect([later.current(), later.latest()]).toEqual([current, latest]);
  });

  it.each([
    [service, nameOf(service.baseUrl, "a")],
    [{ ...service, account: undefined }, nameOf(service.baseUrl, null)],
    [{ ...service, baseUrl: "http://other.example" }, nameOf("http://other.example", "a")],
  ])("is kept for one service and account: %o", (key, name) => {
    const { kept, notes } = openNotes();
    createClientIdMemory(notes, key).learn("honoured");
    expect([...kept.keys()]).toEqual([name]);
    expect(JSON.parse(kept.get(name) ?? "")).toEqual({ ...key, clientIds: "honoured", answers: 1 });
  });

  it.each<[Readonly<Record<string, unknown>>, ClientIds, ClientIds]>([
    [{ clientIds: "honoured", answers: 2 }, "honoured", "honoured"],
    [{ clientIds: "honoured", answers: 1 }, "unknown", "honoured"],
    [{ clientIds: "honoured" }, "unknown", "unknown"],
    [{ clientIds: "unsupported", answers: 2 }, "unsupported", "unsupported"],
    [{ clientIds: "unknown", answers: 2 }, "unknown", "unknown"],
    [{}, "unknown", "unknown"],
  ])("of the note %o is relied on as %s, and was last shown as %s", (note, current, latest) => {
    const { notes } = openNotes({ [nameOf(service.baseUrl, "a")]: JSON.stringify(note) });
    const memory = createClientIdMemory(notes, service);
    expect([memory.current(), memory.latest()]).toEqual([current, latest]);
  });

  it("is written only when it changes", () => {
    const written: string[] = [];
    const notes = { read: () => undefined, replace: (name: string) => void written.push(name) };
    const memory = createClientIdMemory(notes, service);
    memory.learn("supported");
    expect(written).toEqual([]);
    for (const answer of ["honoured", "honoured", "honoured", "supported"] as const) memory.learn(answer);
    expect(written).toHaveLength(2);
  });

  it("is learned again where it cannot be kept; a fault of the tool is not hidden", () => {
    const openWith = (error: Error) => {
      const fail = () => {
        throw error;
      };
      return createClientIdMemory({ read: () => undefined, replace: fail }, service);
    };
    const full = openWith(new Failure("unavailable", "the disk is full", { hint: "make room" }));
    expect(() => full.learn("honoured")).not.toThrow();
    expect(full.latest()).toBe("honoured");
    expect(() => openWith(new TypeError("x")).learn("honoured")).toThrow(TypeError);
  });
});

describe("an incident can be found under its id", () => {
  it.each([
    ["unknown", true],
    ["honoured", true],
    ["ignored", false],
    ["unsupported", false],
  ] as const)("where ids are %s: %s", (mode, isFound) => {
    expect(canBeFound(mode)).toBe(isFound);
  });
});
