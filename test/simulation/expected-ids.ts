// What a create learns of a service's ids, a second time: from the note of its machine and the answers since. The
// simulation compares each use with it.
import {
  type ClientIdEvidence,
  type ClientIdMemory,
  type ClientIds,
  clientIdModes,
  createClientIdMemory,
  type Notes,
} from "../../src/journal/client-ids.ts";

/** Answers in a row that agree before they are relied on. */
const neededAnswers = 2;

/** Keeps the name and the text of the note that `create` reads and writes. Throws where the memory says anything else. */
export function checkedIds(
  notes: Notes,
  promised: ClientIds | undefined,
  create: (notes: Notes) => ClientIdMemory,
): ClientIdMemory {
  let text: string | undefined;
  const memory = create({
    read: (name) => {
      text = notes.read(name);
      return text;
    },
    replace: (name, written) => {
      text = written;
      notes.replace(name, written);
    },
  });
  const answers: ClientIdEvidence[] = answersOf(text);
  const expected = (): { readonly current: ClientIds; readonly latest: ClientIds } => {
    if (promised !== undefined) return { current: promised, latest: promised };
    const shown = answers.filter((answer) => answer !== "supported");
    const last = shown.at(-1) ?? "unknown";
    const inRow = shown.length - 1 - shown.findLastIndex((answer) => answer !== last);
    return { current: inRow >= neededAnswers ? last : "unknown", latest: last };
  };
  const check = () => {
    const says = { current: memory.current(), latest: memory.latest() };
    if (JSON.stringify(says) !== JSON.stringify(expected()))
      throw new Error(`takes ids for ${JSON.stringify(says)} after ${answers.join(", ")}`);
  };
  return {
    current() {
      check();
      return memory.current();
    },
    latest() {
      check();
      return memory.latest();
    },
    learn(answer) {
      memory.learn(answer);
      // An id that is refused with and without it was not the reason.
      if (answer === "supported" && answers.at(-1) === "unsupported") answers.length = 0;
      else if (promised === undefined) answers.push(answer);
      check();
      const kept = answersOf(text);
      const isKept = promised !== undefined || kept.at(-1) === answers.filter(isShown).at(-1);
      if (!isKept) throw new Error(`keeps ${text} after ${answers.join(", ")}`);
    },
  };
}

const service = { baseUrl: "http://service.example", account: undefined };
const otherServices = [
  { ...service, account: "a" },
  { ...service, baseUrl: "http://other.example" },
];
const everyAnswer = ["honoured", "ignored", "unsupported", "supported"] as const;

/** Learns from every sequence of up to `length` answers, in one process and in a later one. */
export function checkEveryAnswer(length: number): number {
  const sequences: ClientIdEvidence[][] = [[]];
  for (const sequence of sequences) {
    if (sequence.length < length) sequences.push(...everyAnswer.map((answer) => [...sequence, answer]));
    for (const promised of [undefined, ...clientIdModes]) {
      const kept = new Map<string, string>();
      const notes = {
        read: (name: string) => kept.get(name),
        replace(name: string, text: string) {
          if (kept.get(name) === text) throw new Error(`writes ${text} twice`);
          if (!/^service-[0-9a-f]{40}\.json$/.test(name)) throw new Error(`writes ${name}`);
          const { account, answers, baseUrl } = JSON.parse(text);
          if (answers > neededAnswers || baseUrl !== service.baseUrl || account !== service.account)
            throw new Error(`writes ${text}`);
          kept.set(name, text);
        },
      };
      const open = () => checkedIds(notes, promised, (own) => createClientIdMemory(own, service, promised));
      const first = open();
      for (const answer of sequence) first.learn(answer);
      open().latest();
      for (const other of otherServices)
        if (createClientIdMemory(notes, other, undefined).latest() !== "unknown")
          throw new Error(`knows of ${other.account} at ${other.baseUrl}`);
    }
  }
  return sequences.length;
}

const isShown = (answer: ClientIdEvidence) => answer !== "supported";

function answersOf(text: string | undefined): ClientIdEvidence[] {
  const { answers, clientIds } = JSON.parse(text ?? "{}");
  const isKnown = clientIds === "honoured" || clientIds === "ignored" || clientIds === "unsupported";
  return isKnown ? Array.from({ length: answers }, () => clientIds) : [];
}
