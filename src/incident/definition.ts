// The table of the fields of a definition, of its services and of its updates, in the order of a request, and the form of
// its rows. Everything else follows from it: the request, flags and questions, `get`, drift, and the schema that checks a
// value.
import type { FormName, Notes } from "../rules/kinds.ts";
import { ownValue } from "../untrusted-data.ts";
import { maxNameLength, type Severity, severities, statuses } from "./values.ts";

/** `own`: each page has a place for it. `hidden`: no page shows it. Else it is a line of its own, with this label. */
type Show = "own" | "hidden" | { readonly label: string };

/** How a value is compared. `answer`: with the answer to the request alone. `list`: see comparison.ts. `never`: not at all. */
export type Compare = "text" | "instant" | "value" | "answer" | "list" | "never";

/** The kinds of values that are not a text in some form. A row has no schema, so that only a check loads zod. */
interface OtherKinds {
  readonly dateOrNull: string | null;
  readonly boolean: boolean;
  readonly integer: number;
}

/** A row of the table. A field that is not shown or not compared says so, or it does not compile. */
export interface Field extends Notes {
  readonly description: string;
  /** Absent for an enumeration and for a list. */
  readonly kind?: Exclude<FormName, "folder"> | keyof OtherKinds;
  /** The values of an enumeration. */
  readonly values?: readonly string[];
  /** The fields of each entry of a list. */
  readonly entries?: Table;
  readonly show: Show;
  readonly compare: Compare;
  readonly isRequired?: true;
  /** How a person gives the field outside of a file. */
  readonly input?: {
    /** The flag without its dashes. */
    readonly flag: string;
    /** The summary of the flag in the help; without it, the values of an enumeration. */
    readonly summary?: string;
    /** Asked at a terminal; a field without a question is not asked for. */
    readonly question?: string;
    /** The meaning of each value of an enumeration. */
    readonly meanings?: Readonly<Record<string, string>>;
  };
  /** The service fills it in, so that `get -o definition` leaves it out. */
  readonly isFilledIn?: true;
}

export type Table = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { readonly entries: infer T }
  ? MappingOf<T>[]
  : F extends { readonly values: readonly (infer V)[] }
    ? V
    : F extends { readonly kind: infer K extends keyof OtherKinds }
      ? OtherKinds[K]
      : string;

type RequiredName<T> = { [K in keyof T]: T[K] extends { isRequired: true } ? K : never }[keyof T];

type MappingOf<T> = { [K in keyof T & RequiredName<T>]: ValueOf<T[K]> } & {
  [K in Exclude<keyof T, RequiredName<T>>]?: ValueOf<T[K]> | undefined;
};

export type NamedField = ReturnType<typeof named>[number];

export const named = (fields: Table) => Object.entries(fields).map(([name, field]) => ({ ...field, name }));

/** A field that a person gives as one text: by a flag, by an answer, or in a file. */
export type TextField = ReturnType<typeof given>[number];

const given = (fields: readonly NamedField[]) =>
  fields.flatMap(({ input, ...field }) => (input === undefined ? [] : [{ ...field, ...input }]));

const madeOn = (description: string, show: Show, compare: Compare = "instant") =>
  ({ kind: "date", description, show, compare, isFilledIn: true }) as const satisfies Field;

// Assumption: the spec does not state which fields of a body are required (spec 2.5). Required here are the fields of
// every returned incident that only the author knows: the `id` and `name` of a service, the `description` of an
// update, and at least one update, because the latest update gives `lastUpdateStatus` (spec 1).

export const service = {
  name: {
    kind: "visible",
    description: "The service's name as customers know it.",
    examples: ["Checkout"],
    noun: "the text that customers read",
    isRequired: true,
    show: "own",
    compare: "never",
  },
  id: {
    kind: "guid",
    description: "The service's id, a GUID, as the status page has it.",
    note: "incident services import reads it from the service, or with an ID from an incident",
    isRequired: true,
    show: "own",
    compare: "list",
  },
  accountId: {
    kind: "guid",
    description:
      "The account that the service belongs to, a GUID; the account of the settings if you leave it out.",
    show: "hidden",
    compare: "never",
  },
  created_at: madeOn("The day the service was created, as YYYY-MM-DD.", "hidden", "never"),
  updated_at: {
    ...madeOn("The day the service was last changed, as YYYY-MM-DD, or null.", "hidden", "never"),
    kind: "dateOrNull",
  },
} as const satisfies Table;

export type Service = MappingOf<typeof service>;

const update = {
  description: {
    kind: "visible",
    description: "What customers read: what is happening, and what you are doing about it.",
    examples: ["We are looking into failed payments."],
    noun: "the text that customers read",
    aliases: ["message", "body", "text", "content", "details", "summary"],
    isRequired: true,
    show: "own",
    compare: "text",
    input: {
      flag: "message",
      summary: "the text that customers read",
      question: "What should customers read?",
    },
  },
  id: {
    kind: "guid",
    description: "The update's own id, a GUID; usually left to the status page.",
    show: "hidden",
    compare: "never",
    isFilledIn: true,
  },
  publicIncidentUpdateDate: {
    kind: "dateTime",
    description: "When the update was made, as shown to customers; ISO 8601 with an offset.",
    examples: ["2026-03-01T09:30:00Z"],
    aliases: ["createdat", "startedat", "date", "time", "timestamp"],
    show: "own",
    compare: "instant",
  },
  created_at: madeOn("The day the update was created, as YYYY-MM-DD.", "hidden"),
  notifySubscribers: {
    kind: "boolean",
    description: "Whether subscribers are told about this update; false unless you say otherwise.",
    examples: [false],
    aliases: ["notify", "delivernotifications"],
    show: "own",
    compare: "answer",
  },
  status: {
    values: statuses,
    description: "How far you have come with this update.",
    examples: ["INVESTIGATING"],
    code: "unknown-status",
    noun: "status",
    aliases: ["state", "incidentstatus"],
    show: "own",
    compare: "value",
    input: { flag: "status", question: "What is the status?" },
  },
} as const satisfies Table;

export type Update = MappingOf<typeof update>;

export const incident = {
  name: {
    kind: "line",
    maxLength: maxNameLength,
    description: `The headline that customers see; at most ${maxNameLength} characters.`,
    examples: ["Checkout fails for some customers"],
    noun: "the text that customers read",
    aliases: ["title", "headline", "subject", "summary"],
    isRequired: true,
    show: "own",
    compare: "text",
    input: {
      flag: "name",
      summary: "the headline that customers see",
      question: "What is wrong? Customers see this as the headline.",
    },
  },
  severity: {
    values: severities,
    description: "How bad it is for customers.",
    examples: ["MAJOR"],
    code: "unknown-severity",
    noun: "severity",
    aliases: ["impact", "impactoverride", "priority", "level"],
    isRequired: true,
    show: "own",
    compare: "value",
    input: {
      flag: "severity",
      question: "How bad is it?",
      // Assumption: the spec names the severities and does not define them (spec 2.4).
      meanings: {
        CRITICAL: "most customers cannot use the service",
        MAJOR: "an important function fails for many customers",
        MEDIUM: "a function is slow, or fails for some customers",
        MINOR: "a small problem that few customers notice",
      } satisfies Record<Severity, string>,
    },
  },
  services: {
    entries: service,
    description: "The services that are affected; at least one.",
    note: "a service of the catalog is its name alone, as in [checkout]",
    aliases: ["service", "components", "component", "affectedservices", "affectedcomponents"],
    isRequired: true,
    show: "own",
    compare: "list",
  },
  incidentUpdates: {
    entries: update,
    description: "What has been said about the incident; at least one update.",
    aliases: ["updates", "incidentupdate", "timeline"],
    isRequired: true,
    show: "own",
    compare: "list",
  },
  id: {
    kind: "guid",
    description: "The incident's identity, a GUID; it keeps the incident from being declared twice.",
    note: "without this line, incident validate --fix --assign-ids FILE writes a fresh one",
    show: "own",
    compare: "never",
  },
  created_at: madeOn("The day the incident was created, as YYYY-MM-DD.", { label: "created" }),
  updated_at: madeOn("The day the incident was last changed, as YYYY-MM-DD.", { label: "updated" }),
  duration: {
    kind: "integer",
    description: "How long the incident lasted, a whole number; the API does not state its unit.",
    examples: [1],
    note: "the API does not state the unit",
    show: "hidden",
    compare: "value",
    isFilledIn: true,
  },
} as const satisfies Table;

export type Definition = MappingOf<typeof incident>;

export const incidentFields = named(incident);
export const serviceFields = named(service);
export const updateFields = named(update);

export const incidentTextFields = given(incidentFields);
export const updateTextFields = given(updateFields);

/** The row of a field such as `services[].name`. */
export function fieldAt(path: string): Field | undefined {
  const [name = "", inner] = path.split("[].");
  const field = ownValue<Field | undefined>(incident as Table, name);
  return inner === undefined ? field : ownValue(field?.entries ?? {}, inner);
}

export const textFields: readonly TextField[] = [...incidentTextFields, ...updateTextFields];
