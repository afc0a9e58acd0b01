// The command as tests start it in a process: the built command, on the Node that INCIDENT_TEST_NODE names, or the
// single executable that INCIDENT_TEST_COMMAND names.
import { join, resolve } from "node:path";

export const command = join(import.meta.dirname, "../../dist/incident.cjs");

/** The Node that runs the built command. */
export const node = process.env.INCIDENT_TEST_NODE || process.execPath;

const executable = process.env.INCIDENT_TEST_COMMAND;

export const isExecutable = Boolean(executable);

/** The program to start, and the arguments before those of the command. */
export const program = executable ? resolve(executable) : node;
export const programArgs: readonly string[] = executable ? [] : [command];

/** Both, for a shell. */
export const shellCommand = [program, ...programArgs].map((word) => `'${word}'`).join(" ");

/** The variable that makes the runtime of the command load a module first. */
export function preload(file: string): Readonly<Record<string, string>> {
  return isExecutable ? { BUN_OPTIONS: `--preload=${file}` } : { NODE_OPTIONS: `--require ${file}` };
}
