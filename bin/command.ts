// Runs the command with the process's arguments and the real Context.
import { main } from "../src/cli/main.ts";
import type { Transport } from "../src/http/transport.ts";
import { createContext } from "../src/platform/process.ts";

// For speed: dependencies create an error for each connection, and only --debug prints where an error came from.
if (!process.argv.includes("--debug")) Error.stackTraceLimit = 0;

/** Loads undici with the first request: a command that sends none does without. */
function openTransport(): Transport {
  let transport: Promise<Transport> | undefined;
  return async (request, control) => {
    transport ??= import("../src/http/undici-transport.ts").then(({ createUndiciTransport }) =>
      createUndiciTransport(process.env),
    );
    return (await transport)(request, control);
  };
}

const context = createContext({ openTransport });
main(process.argv.slice(2), context).then((exitCode) => {
  process.exitCode = exitCode;
});
