// How the service of the simulation changes what it was sent. Written for the simulation alone: neither the client nor
// the sandbox shares a line of it.

/** What a service does with the text of an incident. */
export const habits = ["echoes", "trims", "normalises", "wraps", "own-update"] as const;
/** `renames`: updates have new ids once the incident has another one. */
export type Habit = (typeof habits)[number] | "renames";

type Fields = Readonly<Record<string, unknown>>;

/** The incident as the service keeps and answers it. */
const keep: Readonly<Record<Habit, (incident: Fields) => Fields>> = {
  echoes: (incident) => incident,
  /** Outer spaces and repeated ones go away. */
  trims: (incident) => inTexts(incident, (text) => text.trim().replace(/\s+/g, " ")),
  /** Other letter case, composed letters, HTML, services as ids, and more updates and fields than were sent. */
  normalises: ({ services, severity, ...incident }) => ({
    ...inTexts(incident, (text) =>
      text.trim().normalize("NFC").replaceAll("&", "&amp;").replaceAll("'", "&#39;"),
    ),
    severity: String(severity).toLowerCase(),
    services: Array.isArray(services) ? services.map((service) => service.id) : services,
    duration: 0,
  }),
  wraps: (incident) => incident,
  renames: (incident) => incident,
  /** The service says first that it has seen the incident. */
  "own-update": ({ incidentUpdates, ...incident }) => ({
    ...incident,
    incidentUpdates: [
      { description: "The incident was received.", status: "INVESTIGATING" },
      ...(Array.isArray(incidentUpdates) ? incidentUpdates : []),
    ],
  }),
};

/** An update as the service keeps and answers it. */
export function keptUpdate(habit: Habit, update: Fields): Fields {
  const { incidentUpdates } = keep[habit]({ incidentUpdates: [update] });
  return (incidentUpdates as readonly Fields[]).at(-1) as Fields;
}

export function kept(habit: Habit, incident: Fields): Fields {
  return keep[habit](incident);
}

/** The text of an answer with this incident. */
export function answerText(habit: Habit, incident: Fields): string {
  const shown = habit === "renames" ? withNewIds(incident) : incident;
  return JSON.stringify(habit === "wraps" ? { data: shown } : shown);
}

function withNewIds({ incidentUpdates, ...incident }: Fields): Fields {
  if (!Array.isArray(incidentUpdates)) return incident;
  const idAt = (at: number) =>
    `66666666-0000-4000-8000-${String(100 * incidentUpdates.length + at).padStart(12, "0")}`;
  return { ...incident, incidentUpdates: incidentUpdates.map((each, at) => ({ ...each, id: idAt(at) })) };
}

function inTexts(value: Fields, change: (text: string) => string): Fields {
  const changed = (part: unknown): unknown => {
    if (typeof part === "string") return change(part);
    if (Array.isArray(part)) return part.map(changed);
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, changed(each)]));
  };
  return changed(value) as Fields;
}
