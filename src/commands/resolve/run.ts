// `incident resolve`: an update with the status RESOLVED.
import type { Run } from "../../kit/define-command.ts";
import { runUpdate } from "../update/run.ts";
import { spec } from "./spec.ts";

export const run: Run<typeof spec> = (context, input) =>
  runUpdate(context, { ...input, flags: { ...input.flags, status: "resolved" } }, { spec, typed: input });
