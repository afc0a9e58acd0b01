// The specs of all commands, in the order of the registry.
import { rows } from "../../src/cli/registry.ts";

export const specs = await Promise.all(
  rows.map(async ({ load, summary }) => ({ ...(await load()).spec, summary })),
);
