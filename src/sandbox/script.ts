// Moves incidents on while a rehearsal runs: each step adds an update some time after an incident was declared.
import type { Random } from "../platform/context.ts";
import { addUpdate, type Incident } from "./create-incident.ts";
import { parseDuration } from "./faults.ts";
import { schemas } from "./schemas.ts";

export interface ScriptStep {
  /** Milliseconds after the incident appears in this sandbox. */
  readonly after: number;
  readonly status: string;
  readonly description: string;
}

const statuses: readonly string[] = schemas.IncidentStatus.enum;

/** Parses `60s: RESOLVED` or `60s: RESOLVED: The text of the update.`; a bare number is seconds. */
export function parseScriptStep(text: string): ScriptStep | { readonly problem: string } {
  const [, time = "", name = "", description] =
    /^\s*(\d[\w.]*)\s*:\s*([A-Za-z]+)\s*(?::\s*(.*\S))?\s*$/s.exec(text) ?? [];
  const status = name.toUpperCase();
  const after = parseDuration(time);
  if (after === undefined) return { problem: `"${text}" is not TIME: STATUS, such as 60s: RESOLVED` };
  if (!statuses.includes(status)) {
    return { problem: `"${name}" is not a status: write one of ${statuses.join(", ")}` };
  }
  return {
    after,
    status,
    description: description ?? `The script of the sandbox sets the status ${status}.`,
  };
}

/** Returns the incidents that the steps change at a time, each with its new updates. */
export type Script = (incidents: readonly Incident[], now: number) => readonly Incident[];

/** Undefined without steps, because a service with a script looks at all of its incidents with each request. */
export function createScript(steps: readonly ScriptStep[], random: Pick<Random, "guid">): Script | undefined {
  if (steps.length === 0) return undefined;
  const sorted = [...steps].sort((a, b) => a.after - b.after);
  /** When each incident appeared, and how many steps it has taken, by its id. */
  const progress = new Map<string, { readonly start: number; taken: number }>();
  return (incidents, now) => {
    return incidents.flatMap((incident) => {
      const own = progress.get(incident.id) ?? { start: now, taken: 0 };
      progress.set(incident.id, own);
      const due = sorted.slice(own.taken).filter(({ after }) => own.start + after <= now);
      own.taken += due.length;
      if (due.length === 0) return [];
      return [
        due.reduce(
          (moved, { after, ...update }) => addUpdate(moved, update, { now: own.start + after, random }),
          incident,
        ),
      ];
    });
  };
}
