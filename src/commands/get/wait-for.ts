// `incident get --wait-for`: ends when every incident has reached a status, or when the time is up.

import { cancellation, Failure } from "../../failure.ts";
import { type Incident, incidentFacts } from "../../incident/wire.ts";
import type { Reporter } from "../../platform/context.ts";
import { formatElapsed } from "../../view/terminal/time.ts";
import type { Report } from "../define-command.ts";
import { incidentsReport } from "../shared/incident-report.ts";
import { type Poll, type PollOptions, poll } from "./poll.ts";
import type { WaitCondition } from "./wait-condition.ts";

export async function waitFor(
  telling: Reporter,
  observing: PollOptions,
  goal: WaitCondition,
): Promise<Report> {
  const { clock, signal } = observing.context;
  const start = clock.now();
  const elapsed = () => formatElapsed(clock.now() - start);
  const limit = formatElapsed(goal.timeout);
  let last: Poll | undefined;
  const say = () =>
    last === undefined
      ? `waiting for ${goal.status}, at most ${limit}`
      : `waiting for ${goal.status}: ${describeLook(last, goal)}, ${elapsed()} of ${limit}`;
  const isReached = await telling.withSpinner(
    say,
    async () => {
      for await (const look of poll({ ...observing, deadline: start + goal.timeout })) {
        tellChanges(telling, last, look);
        last = look;
        if (look.incidents.every(goal.isReached)) return true;
      }
      return false;
    },
    "noted",
  );
  if (!isReached && signal.aborted) {
    throw cancellation(signal, "nothing was changed; run it again to go on waiting");
  }
  const incidents = last?.incidents ?? [];
  return incidentsReport(incidents, isReached ? undefined : notReached(goal, last, limit));
}

/** What happened to the incidents since the look before. */
function tellChanges(telling: Pick<Reporter, "info" | "warn">, before: Poll | undefined, look: Poll): void {
  if (look.trouble !== undefined && before?.trouble === undefined) {
    telling.warn(`${look.trouble.message}; still waiting`);
  }
  for (const [index, incident] of look.incidents.entries()) {
    const earlier = before?.incidents[index];
    if (earlier === undefined || earlier.lastUpdateStatus === incident.lastUpdateStatus) continue;
    telling.info(`${incident.id} was ${statusOf(earlier)} and is ${statusOf(incident)}`);
  }
}

export function statusOf(incident: Incident): string {
  return incidentFacts(incident).status ?? "without a status";
}

function describeLook({ incidents }: Poll, goal: WaitCondition): string {
  const [first, ...others] = incidents;
  if (first !== undefined && others.length === 0) return `it is ${statusOf(first)}`;
  return `${incidents.filter(goal.isReached).length} of ${incidents.length} are`;
}

export function notReached(goal: WaitCondition, look: Poll | undefined, limit: string): Failure {
  const late = (look?.incidents ?? []).filter((incident) => !goal.isReached(incident));
  const which = late.map((incident) => `${incident.id} is ${statusOf(incident)}`).join(", ");
  const trouble =
    look?.trouble === undefined ? "" : `, and could not be read at last: ${look.trouble.message}`;
  return new Failure("timeout", `not ${goal.status} within ${limit}: ${which}${trouble}`, {
    hint: "look what holds it up, or wait longer with --wait-timeout",
    commands: [{ command: `incident get ${late.map(({ id }) => id).join(" ")} --watch`, purpose: "look on" }],
    retryable: true,
  });
}
