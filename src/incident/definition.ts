// The schema of a definition, of its fields, and of the catalog and the variables that it uses. It checks files, and
// the JSON Schema for editors comes from it. A rule gives its diagnostic code as zod's message.
import * as z from "zod/mini";
import type { DiagnosticCode } from "../diagnostic.ts";
import { dateTimePattern, guidPattern, isDate, isDateTime, visiblePattern } from "../rules/forms.ts";
import { maxNameLength, severities, statuses } from "./values.ts";
import { withMeta } from "./with-meta.ts";

/** The diagnostic code of a rule; the parameter's type checks it. */
function ruleCode(code: DiagnosticCode): DiagnosticCode {
  return code;
}

const guid = withMeta(z.string().check(z.regex(guidPattern, ruleCode("not-a-guid"))), { format: "uuid" });
const date = withMeta(z.string().check(z.refine(isDate, ruleCode("not-a-date"))), { format: "date" });
// Not the format "date-time": editors read it as RFC 3339, which requires the seconds that ISO 8601 allows to omit.
const dateTime = withMeta(z.string().check(z.refine(isDateTime, ruleCode("not-a-date-time"))), {
  pattern: dateTimePattern.source,
});
const visibleText = z.string().check(z.regex(visiblePattern(), ruleCode("blank-text")));

// Assumption: the spec does not state which fields of a body are required (spec 2.5). Required here are the fields of
// every returned incident that only the author knows: the `id` and `name` of a service, the `description` of an
// update, and at least one update, because the latest update gives `lastUpdateStatus` (spec 1).

export const serviceSchema = z.strictObject({
  name: withMeta(visibleText.clone(), {
    description: "The service's name as customers know it.",
    examples: ["Checkout"],
  }),
  id: withMeta(guid.clone(), {
    description: "The service's id, a GUID, as the status page has it.",
    examples: ["3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b"],
  }),
  accountId: withMeta(z.optional(guid), {
    description:
      "The account that the service belongs to, a GUID; the account of the settings if you leave it out.",
  }),
  created_at: withMeta(z.optional(date), { description: "The day the service was created, as YYYY-MM-DD." }),
  updated_at: withMeta(z.optional(z.nullable(date)), {
    description: "The day the service was last changed, as YYYY-MM-DD, or null.",
  }),
});

const update = z.strictObject({
  description: withMeta(visibleText.clone(), {
    description: "What customers read: what is happening, and what you are doing about it.",
    examples: ["We are looking into failed payments."],
  }),
  id: withMeta(z.optional(guid), {
    description: "The update's own id, a GUID; usually left to the status page.",
  }),
  publicIncidentUpdateDate: withMeta(z.optional(dateTime), {
    description: "When the update was made, as shown to customers; ISO 8601 with an offset.",
    examples: ["2026-03-01T09:30:00Z"],
  }),
  created_at: withMeta(z.optional(date), { description: "The day the update was created, as YYYY-MM-DD." }),
  notifySubscribers: withMeta(z.optional(z.boolean()), {
    description: "Whether subscribers are told about this update; false unless you say otherwise.",
  }),
  status: withMeta(z.optional(z.enum(statuses, ruleCode("unknown-status"))), {
    description: "How far you have come with this update.",
    examples: ["INVESTIGATING"],
  }),
});

export const definitionSchema = withMeta(
  z.strictObject({
    name: withMeta(visibleText.check(z.maxLength(maxNameLength, ruleCode("name-too-long"))), {
      description: "The headline that customers see; at most 255 characters.",
      examples: ["Checkout fails for some customers"],
    }),
    severity: withMeta(z.enum(severities, ruleCode("unknown-severity")), {
      description: "How bad it is for customers.",
      examples: ["MAJOR"],
    }),
    services: withMeta(z.array(serviceSchema).check(z.minLength(1, ruleCode("empty-list"))), {
      description: "The services that are affected; at least one.",
    }),
    incidentUpdates: withMeta(z.array(update).check(z.minLength(1, ruleCode("empty-list"))), {
      description: "What has been said about the incident; at least one update.",
    }),
    id: withMeta(z.optional(guid), {
      description: "The incident's identity, a GUID; it keeps the incident from being declared twice.",
      examples: ["7c9e6679-7425-40de-944b-e07fc1f90ae7"],
    }),
    created_at: withMeta(z.optional(date), {
      description: "The day the incident was created, as YYYY-MM-DD.",
    }),
    updated_at: withMeta(z.optional(date), {
      description: "The day the incident was last changed, as YYYY-MM-DD.",
    }),
    duration: withMeta(z.optional(z.int(ruleCode("not-a-whole-number"))), {
      description: "How long the incident lasted, a whole number; the API does not state its unit.",
    }),
  }),
  { title: "Incident definition", description: "An incident on a status page, as it is declared." },
);

/** The schema of one field by itself, for the value of a flag or an answer. */
export function fieldSchema(field: "name" | "severity" | "description" | "status"): z.ZodMiniType {
  switch (field) {
    case "name":
      return z.pick(definitionSchema, { name: true });
    case "severity":
      return z.pick(definitionSchema, { severity: true });
    case "description":
      return z.pick(update, { description: true });
    case "status":
      return z.pick(update, { status: true });
  }
}

/** The project's catalog of services, by the names that definitions use. */
export const catalogSchema = z.record(z.string(), serviceSchema);

/** A file of variables. A value may be a list or a mapping, as in the body of an alert. */
export const variablesSchema = z.record(z.string(), z.unknown());

export type Definition = z.infer<typeof definitionSchema>;
export type Service = z.infer<typeof serviceSchema>;
export type Update = z.infer<typeof update>;
