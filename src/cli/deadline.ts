// --deadline: the time limit of the whole command.
import { TimeLimit } from "../failure.ts";
import type { Context } from "../platform/context.ts";
import { withTimeLimit } from "../platform/time-limit.ts";
import { formatElapsed } from "../view/terminal/time.ts";

export function withDeadline(context: Context, milliseconds: number): Context {
  const reason = new TimeLimit("--deadline", formatElapsed(milliseconds));
  const { context: limited, expiry } = withTimeLimit(context, milliseconds, reason);
  return { ...limited, system: { ...limited.system, deadline: expiry } };
}
