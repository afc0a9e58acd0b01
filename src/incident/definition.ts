// The table of the fields of a definition, of its services and of its updates: their order in a request, their values
// and their words. Everything else follows from it, the schema that checks a value too: see definition-schema.ts.
import type { RuleFormat, RuleNotes, RuleSchema, Rules } from "../rules/rule-schema.ts";
import { maxNameLength, type Severity, type Status, severities, statuses } from "./values.ts";

export type Service = {
  name: string;
  id: string;
  accountId?: string | undefined;
  created_at?: string | undefined;
  updated_at?: string | null | undefined;
};

export type Update = {
  description: string;
  id?: string | undefined;
  publicIncidentUpdateDate?: string | undefined;
  created_at?: string | undefined;
  notifySubscribers?: boolean | undefined;
  status?: Status | undefined;
};

export type Definition = {
  name: string;
  severity: Severity;
  services: Service[];
  incidentUpdates: Update[];
  id?: string | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
  duration?: number | undefined;
};

/** A row for each field of `T`. */
function mapping<T>(
  properties: Readonly<Record<keyof T, RuleSchema>>,
  required: readonly (keyof T & string)[],
  notes: RuleNotes = {},
): Rules<T> {
  return { ...notes, type: "object", properties, required, additionalProperties: false };
}

function text(format: RuleFormat, notes: RuleNotes): RuleSchema {
  return { ...notes, type: "string", format };
}

const guid = (description: string, note?: string) =>
  text("uuid", { description, ...(note && { "x-note": note }) });
const date = (description: string) => text("date", { description });

// Assumption: the spec does not state which fields of a body are required (spec 2.5). Required here are the fields of
// every returned incident that only the author knows: the `id` and `name` of a service, the `description` of an
// update, and at least one update, because the latest update gives `lastUpdateStatus` (spec 1).

export const serviceRules = mapping<Service>(
  {
    name: text("x-visible-text", {
      description: "The service's name as customers know it.",
      examples: ["Checkout"],
      "x-noun": "the text that customers read",
    }),
    id: guid(
      "The service's id, a GUID, as the status page has it.",
      "incident services import reads it from the service, or with an ID from an incident",
    ),
    accountId: guid(
      "The account that the service belongs to, a GUID; the account of the settings if you leave it out.",
    ),
    created_at: date("The day the service was created, as YYYY-MM-DD."),
    updated_at: {
      ...date("The day the service was last changed, as YYYY-MM-DD, or null."),
      type: ["string", "null"],
    },
  },
  ["name", "id"],
);

const update = mapping<Update>(
  {
    description: text("x-visible-text", {
      description: "What customers read: what is happening, and what you are doing about it.",
      examples: ["We are looking into failed payments."],
      "x-noun": "the text that customers read",
      "x-field": {
        flag: "message",
        summary: "the text that customers read",
        question: "What should customers read?",
        label: "the text",
      },
      "x-aliases": ["body", "message", "summary", "text"],
    }),
    id: guid("The update's own id, a GUID; usually left to the status page."),
    publicIncidentUpdateDate: text("x-iso-date-time", {
      description: "When the update was made, as shown to customers; ISO 8601 with an offset.",
      examples: ["2026-03-01T09:30:00Z"],
      "x-aliases": ["date", "startedat", "started_at", "time", "timestamp"],
    }),
    created_at: date("The day the update was created, as YYYY-MM-DD."),
    notifySubscribers: {
      type: "boolean",
      description: "Whether subscribers are told about this update; false unless you say otherwise.",
      "x-aliases": ["notify", "notify_subscribers"],
    },
    status: {
      type: "string",
      enum: statuses,
      description: "How far you have come with this update.",
      examples: ["INVESTIGATING"],
      "x-code": "unknown-status",
      "x-noun": "status",
      "x-field": { flag: "status", question: "What is the status?", label: "the status" },
      "x-aliases": ["state"],
    },
  },
  ["description"],
);

/** Assumption: the spec names the severities and does not define them (spec 2.4). */
const severityMeanings = {
  CRITICAL: "most customers cannot use the service",
  MAJOR: "an important function fails for many customers",
  MEDIUM: "a function is slow, or fails for some customers",
  MINOR: "a small problem that few customers notice",
} as const satisfies Record<Severity, string>;

export const definitionRules = mapping<Definition>(
  {
    name: {
      ...text("x-one-line", {
        description: `The headline that customers see; at most ${maxNameLength} characters.`,
        examples: ["Checkout fails for some customers"],
        "x-noun": "the text that customers read",
        "x-field": {
          flag: "name",
          summary: "the headline that customers see",
          question: "What is wrong? Customers see this as the headline.",
          label: "the headline",
        },
        "x-aliases": ["headline", "summary", "title"],
      }),
      maxLength: maxNameLength,
    },
    severity: {
      type: "string",
      enum: severities,
      description: "How bad it is for customers.",
      examples: ["MAJOR"],
      "x-code": "unknown-severity",
      "x-noun": "severity",
      "x-field": {
        flag: "severity",
        question: "How bad is it?",
        label: "the severity",
        meanings: severityMeanings,
      },
      "x-aliases": ["impact", "priority"],
    },
    services: {
      type: "array",
      items: serviceRules,
      minItems: 1,
      description: "The services that are affected; at least one.",
      "x-note": "a service of the catalog is its name alone, as in [checkout]",
      "x-aliases": ["affected_services", "affectedservices", "components"],
    },
    incidentUpdates: {
      type: "array",
      items: update,
      minItems: 1,
      description: "What has been said about the incident; at least one update.",
      "x-aliases": ["updates"],
    },
    id: guid(
      "The incident's identity, a GUID; it keeps the incident from being declared twice.",
      "without this line, incident validate --fix --assign-ids FILE writes a fresh one",
    ),
    created_at: date("The day the incident was created, as YYYY-MM-DD."),
    updated_at: date("The day the incident was last changed, as YYYY-MM-DD."),
    duration: {
      type: "integer",
      description: "How long the incident lasted, a whole number; the API does not state its unit.",
      "x-note": "the API does not state the unit",
    },
  },
  ["name", "severity", "services", "incidentUpdates"],
  {
    title: "Incident definition",
    description: "An incident on a status page, as it is declared.",
    "x-noun": "definition",
  },
);
