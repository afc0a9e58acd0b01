// Runs the command with the process's arguments and the real Context.
import { main } from "../src/cli/main.ts";
import { openTransport } from "../src/http/open-transport.ts";
import { createContext } from "../src/platform/process.ts";

const context = createContext({ openTransport: () => openTransport(process.env) });
main(process.argv.slice(2), context).then((exitCode) => {
  process.exitCode = exitCode;
});
