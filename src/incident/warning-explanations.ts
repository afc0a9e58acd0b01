// Explanations of the warnings about valid definitions.
import { type Explanation, toolDecision } from "./text-explanations.ts";

export const warningExplanations = {
  "cut-text": {
    title: "a # cuts a text short",
    meaning:
      "After a space, # starts a comment, so customers would read only the text before it. Quotes keep the whole text. This is a warning; incident validate --strict refuses it.",
    wrong: "name: Checkout #42 fails",
    right: 'name: "Checkout #42 fails"',
    basis: "YAML 1.2",
  },
  "repeated-service": {
    title: "a service is listed twice",
    meaning:
      "Two entries of services have the same id, or the same name in another letter case. This is a warning; incident validate --strict refuses it.",
    wrong:
      "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }, { name: checkout, id: 8a1d3c52-6f0e-4b7a-9c11-2d5e7f9a0b31 }]",
    right: "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
    basis: toolDecision,
  },
  "backward-status": {
    title: "a status goes backwards in time",
    meaning:
      "A later update has an earlier status, for example because two updates are in the wrong order. It is correct for an incident that was reopened. This is a warning; incident validate --strict refuses it.",
    wrong:
      "incidentUpdates: [{ status: RESOLVED, description: It works. }, { status: INVESTIGATING, description: We are looking into it. }]",
    right:
      "incidentUpdates: [{ status: INVESTIGATING, description: We are looking into it. }, { status: RESOLVED, description: It works. }]",
    basis: toolDecision,
  },
  "future-date": {
    title: "a date is in the future",
    meaning:
      "created_at, updated_at or publicIncidentUpdateDate is later than now, for example because the year or the offset is wrong. Customers see the date. This is a warning; incident validate --strict refuses it.",
    wrong: "created_at: 2206-03-01",
    right: "created_at: 2026-03-01",
    basis: toolDecision,
  },
  "typographic-quotes": {
    title: "a text is in typographic quotes",
    meaning:
      "YAML knows only the straight quotes \" and '. Typographic quotes, which some editors and chats write, are part of the text, so customers see them. This is a warning; incident validate --strict refuses it.",
    wrong: "name: “Checkout fails”",
    right: 'name: "Checkout fails"',
    basis: "YAML 1.2",
  },
  "repeated-definition": {
    title: "two definitions without an id are the same",
    meaning:
      "Nothing tells the two apart, so incident create declares two incidents. This is a warning; incident validate --strict refuses it.",
    wrong: "a definition without an id, and a copy of it",
    right: "one of them, or an id in each: incident validate --fix --assign-ids",
    basis: toolDecision,
  },
} satisfies Readonly<Record<string, Explanation>>;
