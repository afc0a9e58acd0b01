// The command: the process's arguments and streams, and nothing else.
import { main } from "../src/cli/main.ts";
import { createContext } from "../src/platform/process.ts";

main(process.argv.slice(2), createContext()).then((exitCode) => {
  process.exitCode = exitCode;
});
