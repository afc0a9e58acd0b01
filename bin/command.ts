// Runs the command with the process's arguments and the real Context.
import { main } from "../src/cli/main.ts";
import { openTransport } from "../src/http/open-transport.ts";
import { createContext } from "../src/platform/process.ts";
import { safe } from "../src/platform/terminal/safe-text.ts";

// For speed: dependencies create an error for each connection, and only --debug prints where an error came from.
if (!process.argv.includes("--debug")) Error.stackTraceLimit = 0;
const context = createContext(openTransport(process.env));
main(process.argv.slice(2), context).then(async (exitCode) => {
  // Messages may still wait for a slow reader, and an empty one comes after them.
  await context.io.stderr.write(safe``).catch(() => undefined);
  // The result is out, and Node.js takes 2 ms to take everything down.
  process.exit(exitCode);
});
