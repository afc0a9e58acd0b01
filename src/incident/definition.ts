// What a person may write in a definition, as one schema: it checks files, and editors get their JSON Schema
// from it. A rule that zod has no diagnostic of its own for names its DiagnosticCode as zod's message.
import * as z from "zod/mini";
import type { DiagnosticCode } from "../diagnostic.ts";
import { dateTimePattern, guidPattern, isDate, isDateTime, visiblePattern } from "./rules.ts";
import { described } from "./with-meta.ts";

/** Spec 2.4, in the spec's order. */
export const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"] as const;
export type Severity = (typeof severities)[number];

/** Spec 2.4, in the spec's order. */
export const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"] as const;
export type Status = (typeof statuses)[number];

/** Spec 8: the most characters, counted as code points, that the service takes for an incident's name. */
export const longestName = 255;

/** What a breach of a rule is called; the type keeps the names inside the catalogue. */
function breach(code: DiagnosticCode): DiagnosticCode {
  return code;
}

const guid = described(z.string().check(z.regex(guidPattern, breach("not-a-guid"))), { format: "uuid" });
const date = described(z.string().check(z.refine(isDate, breach("not-a-date"))), { format: "date" });
// Not the format "date-time": editors read it as RFC 3339, which wants the seconds that ISO 8601 may leave out.
const dateTime = described(z.string().check(z.refine(isDateTime, breach("not-a-date-time"))), {
  pattern: dateTimePattern.source,
});
const visibleText = z.string().check(z.regex(visiblePattern, breach("blank-text")));

// Assumption: the spec does not show which fields of a body are required (spec 2.5). Required here is what
// an incident must come back with and what nobody but the author knows: a service's `id` and `name`, an
// update's `description`, and at least one update, because `lastUpdateStatus` is taken from the latest (spec 1).

export const serviceSchema = z.strictObject({
  name: described(visibleText.clone(), {
    description: "The service's name as customers know it.",
    examples: ["Checkout"],
  }),
  id: described(guid.clone(), {
    description: "The service's id, a GUID, as the status page has it.",
    examples: ["3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b"],
  }),
  accountId: described(z.optional(guid), { description: "The account that the service belongs to, a GUID." }),
  created_at: described(z.optional(date), { description: "The day the service was created, as YYYY-MM-DD." }),
  updated_at: described(z.optional(z.nullable(date)), {
    description: "The day the service was last changed, as YYYY-MM-DD, or null.",
  }),
});

const update = z.strictObject({
  description: described(visibleText.clone(), {
    description: "What customers read: what is happening, and what you are doing about it.",
    examples: ["We are looking into failed payments."],
  }),
  id: described(z.optional(guid), {
    description: "The update's own id, a GUID; usually left to the status page.",
  }),
  publicIncidentUpdateDate: described(z.optional(dateTime), {
    description: "When the update was made, as shown to customers; ISO 8601 with an offset.",
    examples: ["2026-03-01T09:30:00Z"],
  }),
  created_at: described(z.optional(date), { description: "The day the update was created, as YYYY-MM-DD." }),
  notifySubscribers: described(z.optional(z.boolean()), {
    description: "Whether subscribers are told about this update; false unless you say otherwise.",
  }),
  status: described(z.optional(z.enum(statuses, breach("unknown-status"))), {
    description: "How far you have come with this update.",
    examples: ["INVESTIGATING"],
  }),
});

export const definitionSchema = described(
  z.strictObject({
    name: described(visibleText.check(z.maxLength(longestName, breach("name-too-long"))), {
      description: "The headline that customers see; at most 255 characters.",
      examples: ["Checkout fails for some customers"],
    }),
    severity: described(z.enum(severities, breach("unknown-severity")), {
      description: "How bad it is for customers.",
      examples: ["MAJOR"],
    }),
    services: described(z.array(serviceSchema).check(z.minLength(1, breach("empty-list"))), {
      description: "The services that are affected; at least one.",
    }),
    incidentUpdates: described(z.array(update).check(z.minLength(1, breach("empty-list"))), {
      description: "What has been said about the incident; at least one update.",
    }),
    id: described(z.optional(guid), {
      description: "The incident's identity, a GUID; it keeps the incident from being declared twice.",
      examples: ["7c9e6679-7425-40de-944b-e07fc1f90ae7"],
    }),
    created_at: described(z.optional(date), {
      description: "The day the incident was created, as YYYY-MM-DD.",
    }),
    updated_at: described(z.optional(date), {
      description: "The day the incident was last changed, as YYYY-MM-DD.",
    }),
    duration: described(z.optional(z.int(breach("not-a-whole-number"))), {
      description: "How long the incident lasted, a whole number; the API does not state its unit.",
    }),
  }),
  { title: "Incident definition", description: "An incident on a status page, as it is declared." },
);

export type Definition = z.infer<typeof definitionSchema>;
export type Service = z.infer<typeof serviceSchema>;
export type Update = z.infer<typeof update>;
