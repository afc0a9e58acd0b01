// The command as tests start it in a process: the built command, on the Node that INCIDENT_TEST_NODE names.
import { join } from "node:path";

export const command = join(import.meta.dirname, "../../dist/incident.cjs");

/** The Node that runs the built command. */
export const node = process.env.INCIDENT_TEST_NODE || process.execPath;

/** Both, for a shell. */
export const shellCommand = `'${node}' '${command}'`;
