// The command as tests start it in a process: the built command, on the Node that INCIDENT_TEST_NODE names first.
import { join } from "node:path";

export const command = join(import.meta.dirname, "../../dist/incident.cjs");

/** Each Node on which the command is tested, from the oldest to the newest. */
export const nodes = (process.env.INCIDENT_TEST_NODE || process.execPath).split(":");

export const node = nodes[0] as string;

export const shellCommand = `'${node}' '${command}'`;
