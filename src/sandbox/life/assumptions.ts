// The behavior of the sandbox in the operations that the spec does not show. The help and the OpenAPI document use it.

/** Each assumption as one or two sentences, with the section of the spec that leaves it open in parentheses. */
export const lifeAssumptions = {
  operations:
    "The sandbox describes in its openapi.json, and plays, the operations of the following lines; --only-spec leaves the two of the spec (4).",
  list: "Incidents are listed from the newest create to the oldest, with their updates; nextId names the first incident of the next page (4).",
  edit: "An edit replaces the fields that it sends, and needs name, severity and services. It changes no update and notifies nobody (4).",
  addedUpdate:
    "An added update comes last in the history, and its id is treated as that of a create: kept, and refused with 409 where the incident has it (4). A missing status is the incident's.",
  updates: "The updates of an incident are listed from the last added to the first, at most 100 (4).",
  services:
    "The services are three of the sandbox's own and those of its incidents, with paginated=false in one page (4).",
  duration:
    "With an added update, duration becomes the seconds from the earliest update to the latest if the incident is resolved, else null (2.5).",
} as const satisfies Record<string, string>;
