// The explanation of each diagnostic code, with a wrong and a right example and the basis of the rule, for
// `incident explain` and for reports that list their rules.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import type { DiagnosticCode } from "../diagnostic.ts";
import { policyExplanations } from "./policy-explanations.ts";
import { templateExplanations } from "./template-explanations.ts";
import { type Explanation, textExplanations, toolDecision } from "./text-explanations.ts";
import { maxNameLength } from "./values.ts";
import { warningExplanations } from "./warning-explanations.ts";

export type { Explanation } from "./text-explanations.ts";

const required =
  "an assumption: spec 2.5 does not show which fields a create needs; these are the ones that an incident comes back with (spec 2.1 to 2.3)";

export const explanations = {
  ...textExplanations,
  "wrong-type": {
    title: "a value has the wrong type for its field",
    meaning:
      "In YAML, a value in quotes is text; true, 5 and null without quotes are not. Each entry of a list starts with a dash.",
    wrong: "name: 404",
    right: 'name: "404"',
    basis: "spec 2 and 4.2",
  },
  "unknown-field": {
    title: "there is no such field",
    meaning: "The service would ignore or refuse it, and the intended field would be missing.",
    wrong: "name: Checkout fails\nsevrity: MAJOR\nseverity: MAJOR",
    right: "name: Checkout fails\nseverity: MAJOR",
    basis: "spec 4.2",
  },
  "missing-field": {
    title: "a required field is missing",
    meaning: "The marked mapping needs one more field; the message names it.",
    wrong: "incidentUpdates: [{ status: INVESTIGATING }]",
    right: "incidentUpdates: [{ status: INVESTIGATING, description: We are looking into it. }]",
    basis: required,
  },
  "unknown-severity": {
    title: "the severity is not one of the four",
    meaning: "In files letter case matters; incident validate --fix corrects it. Flags accept any case.",
    wrong: "severity: major",
    right: "severity: MAJOR",
    basis: "spec 2.4",
  },
  "unknown-status": {
    title: "the status is not one of the four",
    meaning: "In files letter case matters; incident validate --fix corrects it. Flags accept any case.",
    wrong: "incidentUpdates: [{ status: fixed, description: It works again. }]",
    right: "incidentUpdates: [{ status: RESOLVED, description: It works again. }]",
    basis: "spec 2.4",
  },
  "unknown-value": {
    title: "the value is not allowed in this field",
    meaning: "This field of a settings or scenario file accepts a few values; the message lists them.",
    wrong: "clientIds: maybe",
    right: "clientIds: unique",
    basis: toolDecision,
  },
  "not-a-fault": {
    title: "the sandbox has no such fault",
    meaning: "A fault of a scenario says what goes wrong and when; incident sandbox --help lists them.",
    wrong: "faults: [create:explode]",
    right: "faults: [create#1:drop-after-commit]",
    basis: toolDecision,
  },
  placeholder: {
    title: "a placeholder was not replaced",
    meaning:
      "incident new writes CHANGEME where only the author knows the value. A definition that still contains it is never sent, so that a sample cannot reach customers.",
    wrong: "name: CHANGEME",
    right: "name: Checkout fails",
    basis: toolDecision,
  },
  ...warningExplanations,
  "missing-id": {
    title: "a definition that is applied has no id",
    meaning:
      "incident apply runs many times, and finds the same incident by its id. incident validate --fix --assign-ids writes one into the file.",
    wrong: "name: Checkout fails",
    right: "id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\nname: Checkout fails",
    basis: toolDecision,
  },
  "duplicate-id": {
    title: "two definitions have the same id",
    meaning: "The id identifies an incident, so only one of the two could be declared.",
    wrong: "a definition that was copied together with its id",
    right: "an id of its own for each: incident validate --fix --assign-ids",
    basis: toolDecision,
  },
  refused: {
    title: "the service refused this part of a definition",
    meaning:
      "The definition breaks a rule that only the service knows; the message has the service's own words. Nothing was created.",
    wrong: "a service without accountId, where the account of the settings is none",
    right: "the same definition with the field that the message names",
    basis: "an assumption: spec 7.4 does not show how a service names the field of a body that it refuses",
  },
  contract: {
    title: "the service's own contract has a rule that the definition breaks",
    meaning:
      "incident.contract.json has the rules of the service's OpenAPI document; incident contract show lists them, each with its place in that document, and incident contract pull reads them again. In an emergency, incident create --ignore-contract sends the definition anyway.",
    wrong: "a second entry in incidentUpdates, where the contract has exactly 1",
    right: "one entry, and the other updates in the service's web application",
    basis: "the service's own OpenAPI document (spec 9.2)",
  },
  "name-too-long": {
    title: `the name is longer than ${maxNameLength} characters`,
    meaning:
      "The limit counts Unicode code points, not bytes: an accented letter is usually one, and so is a simple emoji.",
    wrong: `name: ${"x".repeat(256)}`,
    right: "name: Checkout fails",
    basis: "spec 2.1 and 8",
  },
  "blank-text": {
    title: "a text is empty or invisible",
    meaning: "Customers would read nothing. Spaces and invisible characters alone do not count as text.",
    wrong: 'name: ""',
    right: "name: Checkout fails",
    basis: required,
  },
  "empty-list": {
    title: "a list is empty that needs an entry",
    meaning: "An incident affects at least one service and has at least one update.",
    wrong: "services: []",
    right: "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
    basis: "spec 8 for services; for incidentUpdates spec 1, which takes the status from the latest one",
  },
  "not-a-guid": {
    title: "an id is not in the form of a GUID",
    meaning: "A GUID is 8-4-4-4-12 hexadecimal digits, of any version, in upper or lower case.",
    wrong: "id: checkout-1",
    right: "id: 7c9e6679-7425-40de-944b-e07fc1f90ae7",
    basis: "spec 2",
  },
  "not-a-date": {
    title: "a date is not valid",
    meaning: "A date is year-month-day, and exists in the calendar.",
    wrong: "created_at: 2026-02-30",
    right: "created_at: 2026-02-28",
    basis: "spec 2",
  },
  "not-a-date-time": {
    title: "a time is not ISO 8601 with an offset",
    meaning: "Without an offset, the time is ambiguous. Z stands for UTC; seconds may be left out.",
    wrong:
      "incidentUpdates: [{ description: We are looking., publicIncidentUpdateDate: '2026-03-01 09:30' }]",
    right:
      "incidentUpdates: [{ description: We are looking., publicIncidentUpdateDate: '2026-03-01T09:30Z' }]",
    basis: "spec 2; which forms of ISO 8601 is an assumption",
  },
  "not-a-whole-number": {
    title: "a number is not a whole number, or is too large",
    meaning:
      "Only digits, up to 9007199254740991: the largest whole number that every JSON parser reads exactly.",
    wrong: "duration: 1.5",
    right: "duration: 90",
    basis: "spec 2.1",
  },
  "unknown-service": {
    title: "a service is not in the catalog",
    meaning:
      "A text in services is a name of the catalog: services: in .incident.yaml, or in your profile of the settings file. The last three lines below are such a catalog. incident services list shows it, and incident services import ID adds the services of an incident.",
    wrong: "services: [chekout]",
    right:
      "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]\n# or a name, with these lines in .incident.yaml:\n#   services:\n#     checkout: { id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b, name: Checkout }",
    basis: "a service is an object (spec 2.2); its name in the catalog is a choice of this tool",
  },
  "unset-variable": {
    title: "a variable is not set",
    meaning:
      "${name} stands for a value of --var or --vars. The environment is never read for it; ${name:-text} has a default.",
    wrong: "name: Checkout fails in ${region}",
    right: "name: Checkout fails in ${region:-all regions}",
    basis: toolDecision,
  },
  "bad-variable": {
    title: "a variable is not written correctly",
    meaning:
      "A name starts with a letter and contains only letters, digits, _, - and . ($${ stands for the text ${).",
    wrong: "name: Checkout costs ${5}",
    right: "name: Checkout costs $${5}",
    basis: toolDecision,
  },
  ...templateExplanations,
  ...policyExplanations,
} satisfies Record<DiagnosticCode, Explanation>;

export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(explanations, text);
}
