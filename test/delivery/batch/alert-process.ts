// A process that fires alerts: `node alert-process.mjs FROM COUNT ARGUMENT…` runs the command COUNT times, nine at a time,
// with {n} in its arguments replaced by the number of the alert. Prints the exit code and the output of each as JSON.
import { main } from "../../../src/cli/main.ts";
import { openTransport } from "../../../src/http/open-transport.ts";
import { createContext } from "../../../src/platform/process.ts";

const [from, count, ...argv] = process.argv.slice(2);
const context = createContext({ openTransport: () => openTransport(process.env) });

async function fire(number: number) {
  const texts = { stdout: "", stderr: "" };
  const capture = (name: keyof typeof texts) => ({
    ...{ isTerminal: false, columns: 80, rows: 24 },
    write: async (text: string) => {
      texts[name] += text;
    },
  });
  const io = { ...context.io, stdout: capture("stdout"), stderr: capture("stderr") };
  const line = argv.map((argument) => argument.replaceAll("{n}", String(number)));
  return { exitCode: await main(line, { ...context, io }), ...texts };
}

const results: Awaited<ReturnType<typeof fire>>[] = [];
const numbers = Array.from({ length: Number(count) }, (_, index) => Number(from) + index);
const work = async () => {
  for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
    results.push(await fire(number));
};
Promise.all(Array.from({ length: 9 }, work)).then(() => process.stdout.write(JSON.stringify(results)));
