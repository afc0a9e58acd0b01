// The create of the spec on hapi, Joi and hapi-swagger. It shares no code with the sandbox, and it generates its own
// description: /openapi.json follows from its validation rules.
import { server as createServer, type Server } from "@hapi/hapi";
import inert from "@hapi/inert";
import vision from "@hapi/vision";
import swagger from "hapi-swagger";
import Joi from "joi";
import { incidentsPath } from "../sandbox/requests.ts";

type Fields = Readonly<Record<string, Joi.Schema>>;

/** Changes to the rules of a create, each by the name of the field that it replaces or adds. */
export interface RuleChanges {
  readonly body?: Fields;
  readonly service?: Fields;
  readonly update?: Fields;
  readonly services?: (list: Joi.ArraySchema) => Joi.ArraySchema;
  readonly incidentUpdates?: (list: Joi.ArraySchema) => Joi.ArraySchema;
}

export interface HapiServerOptions {
  readonly rules?: RuleChanges;
  /** The dialect of its document. */
  readonly dialect?: "v2" | "v3.0";
}

export interface HapiServer {
  readonly server: Server;
  close(): Promise<void>;
}

const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];
const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"];
const guid = Joi.string().guid();
const date = Joi.string()
  .pattern(/^\d{4}-\d{2}-\d{2}$/)
  .custom((text: string, helpers) => {
    const day = new Date(`${text}T00:00:00Z`);
    const isReal = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
    return isReal ? text : helpers.error("any.invalid");
  });

function createSchema({ body, incidentUpdates, service, services, update }: RuleChanges) {
  const serviceSchema = Joi.object({
    name: Joi.string().required(),
    id: guid.required(),
    accountId: guid.required(),
    created_at: date,
    updated_at: date.allow(null),
    ...service,
  });
  const updateSchema = Joi.object({
    description: Joi.string().required(),
    id: guid,
    publicIncidentUpdateDate: Joi.string().isoDate(),
    created_at: date,
    notifySubscribers: Joi.boolean().default(false),
    status: Joi.string().valid(...statuses),
    ...update,
  });
  const same = (list: Joi.ArraySchema) => list;
  return Joi.object({
    name: Joi.string().max(255).required(),
    severity: Joi.string()
      .valid(...severities)
      .required(),
    services: (services ?? same)(Joi.array().items(serviceSchema.label("CreateService")).min(1).required()),
    incidentUpdates: (incidentUpdates ?? same)(
      Joi.array().items(updateSchema.label("CreateIncidentUpdate")).min(1).required(),
    ),
    id: guid,
    created_at: date,
    updated_at: date,
    duration: Joi.number().integer().strict(),
    ...body,
  }).label("CreateIncident");
}

export async function startHapiServer(options: HapiServerOptions = {}): Promise<HapiServer> {
  const { dialect = "v3.0", rules = {} } = options;
  const server = createServer();
  await server.register([
    inert,
    vision,
    {
      plugin: swagger,
      options: {
        OAS: dialect,
        info: { title: "Status Page Incidents API", version: "v1" },
        jsonPath: "/openapi.json",
        documentationPage: false,
        swaggerUI: false,
        auth: false,
      },
    },
  ]);

  const answer = Joi.object({ id: guid.required() }).label("Incident");
  server.route({
    method: "POST",
    path: incidentsPath,
    options: {
      tags: ["api"],
      description: "Create a new incident",
      plugins: { "hapi-swagger": { responses: { 201: { description: "Successful", schema: answer } } } },
      validate: {
        payload: createSchema(rules),
        headers: Joi.object({ "x-service-account": guid }).unknown(),
      },
    },
    handler: ({ payload }, toolkit) => toolkit.response(payload as object).code(201),
  });
  await server.initialize();
  return { server, close: () => server.stop({ timeout: 0 }) };
}
