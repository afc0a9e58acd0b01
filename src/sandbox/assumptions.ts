// The behavior of the sandbox where the API's specification is silent. The help, the OpenAPI document and the contract
// tests all use this list.

/** Each assumption as one sentence, with the section of the spec that leaves it open in parentheses. */
export const assumptions = {
  requiredFields:
    "A create needs name, severity, services (at least one, each with name, id and accountId) and incidentUpdates, each with a description, because the created incident must come back with them (2.5). This is the strictest reading, so that a rehearsal finds what a service may refuse.",
  dateTimes: "A date-time needs seconds and an offset, as RFC 3339 requires (2).",
  invalidBody:
    "A body that breaks the rules is refused with 400 in the shape of the other errors, naming the field (7.4).",
  unknownFields: "A field that the spec does not list is refused, to find mistakes of the client (7.4).",
  mediaType: "A create whose Content-Type is not application/json is refused with 415 (4.2).",
  bodySize: "A create of more than 1 MiB is refused with 413 (8).",
  firstStatus:
    "An update without a status has the status of the previous update, or INVESTIGATING if it is the first (3).",
  transitions: "Any status may follow any other (3).",
  lastStatus:
    "lastUpdateStatus comes from the update with the latest publicIncidentUpdateDate; if several have the same date, from the last in the list (2.1).",
  filledIn:
    "Missing ids are fresh, missing dates are today in UTC, a missing publicIncidentUpdateDate is now, and duration stays null unless it is sent (2.5).",
  clientId:
    "The id of the body becomes the incident's id; it must be a GUID, because the id in the answer is one. Other services may ignore or reject it (4.2).",
  duplicateId: "A create with an id that exists is refused with 409. Other services may not check (4.2).",
  account:
    "An account other than the sandbox's is refused with 403; a missing account header is accepted, because it is not flagged as required (4.1, 5.5).",
  malformedId: "An incidentId that is not a GUID is answered with 404, as an unknown one is (4.1).",
  unknownPath:
    "An unknown path is answered with 404, and an unknown method with 405 and an Allow header (4).",
  rateWindow:
    "The limit counts every request of the last 60 seconds, unauthorised ones included, except those refused with 429; both incident routes share it (8).",
  retryAfter: "A 429 carries Retry-After in seconds (8).",
  statusPage:
    "GET / is a status page for people, and /live.js is its script; neither needs a key, counts as a request, or has faults (4).",
  documents: "openapi.json and swagger.json are served without a key, and outside of the limit (4, 8, 9).",
} as const satisfies Record<string, string>;
