// A process that receives alerts: `node alert-process.mjs FILE` runs the command lines of FILE, a JSON list of
// { argv, stdin }, nine at a time. As soon as one has ended, prints its index, exit code and output as a line of JSON.
import { readFileSync } from "node:fs";
import { main } from "../../../src/cli/main.ts";
import { openTransport } from "../../../src/http/open-transport.ts";
import { createContext } from "../../../src/platform/process.ts";

interface Run {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

const runs: readonly Run[] = JSON.parse(readFileSync(String(process.argv[2]), "utf8"));
const context = createContext({ openTransport: () => openTransport(process.env) });

async function run(index: number, { argv, stdin = "" }: Run): Promise<void> {
  const texts = { stdout: "", stderr: "" };
  const capture = (name: keyof typeof texts) => ({
    ...{ isTerminal: false, columns: 80 },
    write: async (text: string) => {
      texts[name] += text;
    },
  });
  const input = { isTerminal: false, read: async () => Buffer.from(stdin) };
  const io = { ...context.io, stdin: input, stdout: capture("stdout"), stderr: capture("stderr") };
  const exitCode = await main([...argv], { ...context, io });
  process.stdout.write(`${JSON.stringify({ index, exitCode, ...texts })}\n`);
}

const waiting = [...runs.entries()];
const work = async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(...next);
};
await Promise.all(Array.from({ length: 9 }, work));
