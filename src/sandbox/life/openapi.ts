// The sandbox's description of all of its operations: the document of the spec, and the operations that it does not show.
import { assumptions } from "../assumptions.ts";
import { account, documented, incidentIdParameter, jsonOf, openapi, undocumented } from "../openapi.ts";
import { lifeAssumptions } from "./assumptions.ts";
import { lifeSchemas } from "./schemas.ts";

const json = jsonOf<keyof typeof lifeSchemas>;

const ok = (schema: keyof typeof lifeSchemas) => ({
  "200": { description: "Successful", content: json(schema) },
});

const badRequest = { "400": undocumented("Bad Request", assumptions.invalidBody) };

const refusedBodies = {
  ...badRequest,
  ...documented,
  "413": undocumented("Payload Too Large", assumptions.bodySize),
  "415": undocumented("Unsupported Media Type", assumptions.mediaType),
};

const pages = [
  account,
  {
    name: "limit",
    in: "query",
    required: false,
    schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  },
  { name: "nextId", in: "query", required: false, schema: { type: "string" } },
];

const incidents = "/v1/status-pages/incidents" as const;
const incident = `${incidents}/{incidentId}` as const;

const body = (schema: keyof typeof lifeSchemas) => ({ required: true, content: json(schema) });

export const lifeOpenapi = {
  ...openapi,
  info: {
    ...openapi.info,
    "x-not-shown": [...openapi.info["x-not-shown"], lifeAssumptions.operations],
    description:
      "Lists, reads, creates and edits status page incidents, and adds updates. Most routes allow 600 requests every 60 seconds.",
  },
  paths: {
    ...openapi.paths,
    [incidents]: {
      ...openapi.paths[incidents],
      get: {
        summary: "List the incidents",
        description: lifeAssumptions.list,
        parameters: pages,
        responses: { ...ok("IncidentPage"), ...badRequest, ...documented },
      },
    },
    [incident]: {
      ...openapi.paths[incident],
      put: {
        summary: "Edit an incident",
        description: lifeAssumptions.edit,
        parameters: [account, incidentIdParameter],
        requestBody: body("EditIncident"),
        responses: { ...ok("Incident"), ...refusedBodies },
      },
    },
    [`${incident}/incident-updates`]: {
      get: {
        summary: "List the updates of an incident",
        description: lifeAssumptions.updates,
        parameters: [account, incidentIdParameter],
        responses: {
          "200": {
            description: "Successful",
            content: {
              "application/json": {
                schema: { type: "array", items: { $ref: "#/components/schemas/IncidentUpdate" } },
              },
            },
          },
          ...documented,
        },
      },
      post: {
        summary: "Add an update to an incident",
        description: lifeAssumptions.addedUpdate,
        parameters: [account, incidentIdParameter],
        requestBody: body("AddIncidentUpdate"),
        responses: {
          "200": { ...ok("AddedIncidentUpdate")["200"], "x-not-shown": lifeAssumptions.duration },
          ...refusedBodies,
          "409": undocumented("Conflict", lifeAssumptions.addedUpdate),
        },
      },
    },
    "/v1/status-pages/services": {
      get: {
        summary: "List the services",
        description: lifeAssumptions.services,
        parameters: [
          ...pages,
          { name: "paginated", in: "query", required: false, schema: { type: "boolean", default: true } },
        ],
        responses: { ...ok("ServicePage"), ...badRequest, ...documented },
      },
    },
  },
  components: { ...openapi.components, schemas: lifeSchemas },
};
