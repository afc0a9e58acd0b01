// The colors of output for people, loaded only where the output shows them. The only importer of chalk.
import { Chalk } from "chalk";
import type { Colors } from "./style.ts";

export const colors = new Chalk({ level: 1 }) as unknown as Colors;
