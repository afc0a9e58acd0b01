// A service of the spec's shape on hapi, Joi and hapi-swagger. It shares no code with the sandbox, and it generates its
// own description: /openapi.json follows from its validation rules.
import { randomUUID } from "node:crypto";
import Boom from "@hapi/boom";
import { server as createServer, type Lifecycle, type Server } from "@hapi/hapi";
import inert from "@hapi/inert";
import vision from "@hapi/vision";
import swagger from "hapi-swagger";
import Joi from "joi";
import { accountId, apiKey, incidentsPath } from "../sandbox/requests.ts";
import { hapiLifeRoutes } from "./life/hapi-life.ts";
import type { StoredIncident } from "./life/stored-incident.ts";

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
  /** Also lists, edits and updates; with "replaced", no incident and no update keeps the id of the client. */
  readonly life?: { readonly ids: "kept" | "replaced" };
}

export interface HapiServer {
  readonly url: string;
  /** The payloads of the creates that were accepted. */
  readonly created: readonly unknown[];
  incidents(): readonly StoredIncident[];
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

const incidentSchema = Joi.object({
  name: Joi.string().max(255).required(),
  severity: Joi.string()
    .valid(...severities)
    .required(),
  id: guid.required(),
  services: Joi.array()
    .items(
      Joi.object({
        name: Joi.string().required(),
        id: guid.required(),
        accountId: guid.required(),
        created_at: date.required(),
        updated_at: date.allow(null),
      }).label("Service"),
    )
    .required(),
  incidentUpdates: Joi.array()
    .items(
      Joi.object({
        description: Joi.string().required(),
        status: Joi.string().valid(...statuses),
        publicIncidentUpdateDate: Joi.string().isoDate().default("2025-01-01T00:00:00.000Z"),
        notifySubscribers: Joi.boolean().default(false),
        id: guid.required(),
        created_at: date.required(),
      }).label("IncidentUpdate"),
    )
    .required(),
  lastUpdateStatus: Joi.string()
    .valid(...statuses)
    .required(),
  duration: Joi.number().integer().allow(null),
  created_at: date.required(),
  updated_at: date,
}).label("Incident");

export async function startHapiServer(options: HapiServerOptions = {}): Promise<HapiServer> {
  const { dialect = "v3.0", rules = {} } = options;
  const server = createServer({
    host: "127.0.0.1",
    port: 0,
    routes: {
      validate: {
        options: { abortEarly: false },
        // hapi hides the reason of a 400 unless a server asks for it.
        failAction: (_request: unknown, _toolkit: unknown, error: Error | undefined) => {
          throw error ?? Boom.badRequest();
        },
      },
    },
  });
  server.auth.scheme("bearer", () => ({
    authenticate(request, toolkit) {
      const [, key] = /^bearer (.+)$/i.exec(String(request.headers.authorization)) ?? [];
      if (key !== apiKey) throw badToken();
      const account = request.headers["x-service-account"];
      if (account !== undefined && String(account).toLowerCase() !== accountId) throw Boom.forbidden();
      return toolkit.authenticated({ credentials: {} });
    },
  }));
  server.auth.strategy("key", "bearer");
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

  const incidents = new Map<string, StoredIncident>();
  const isReplacing = options.life?.ids === "replaced";
  const created: unknown[] = [];
  const headers = Joi.object({ "x-service-account": guid }).unknown();
  const documented = (status: number, schema: Joi.Schema) => ({
    "hapi-swagger": { responses: { [status]: { description: "Successful", schema } } },
  });
  const create: Lifecycle.Method = (request, toolkit) => {
    const body = request.payload as Record<string, unknown>;
    const id = typeof body.id === "string" && !isReplacing ? body.id : randomUUID();
    if (incidents.has(id.toLowerCase())) throw Boom.conflict(`An incident with the id ${id} exists`);
    const incident = incidentOf(body, id, isReplacing);
    incidents.set(id.toLowerCase(), incident);
    created.push(body);
    return toolkit.response(incident).code(201);
  };
  server.route([
    {
      method: "POST",
      path: incidentsPath,
      options: {
        auth: "key",
        tags: ["api"],
        description: "Create a new incident",
        plugins: documented(201, incidentSchema),
        validate: { payload: createSchema(rules), headers },
      },
      handler: create,
    },
    {
      method: "GET",
      path: `${incidentsPath}/{incidentId}`,
      options: {
        auth: "key",
        tags: ["api"],
        description: "Retrieve an incident by id",
        plugins: documented(200, incidentSchema),
        validate: { params: Joi.object({ incidentId: guid.required() }), headers },
      },
      handler: (request) => {
        const incident = incidents.get(String(request.params.incidentId).toLowerCase());
        if (incident === undefined) throw Boom.notFound();
        return incident;
      },
    },
  ]);
  if (options.life !== undefined)
    server.route(hapiLifeRoutes({ incidents, headers, incidentSchema, isReplacing }));
  await server.start();
  return {
    url: server.info.uri,
    created,
    server,
    incidents: () => [...incidents.values()],
    close: () => server.stop({ timeout: 0 }),
  };
}

/** The 401 of spec 7, which has attributes. */
function badToken(): Boom.Boom {
  const error = Boom.unauthorized("Bad Token");
  Object.assign(error.output.payload, { attributes: {} });
  return error;
}

/** The incident of a valid body, with the fields that spec 2 requires of an answer. */
function incidentOf(body: Record<string, unknown>, id: string, isReplacing: boolean): StoredIncident {
  const now = new Date().toISOString();
  const today = now.slice(0, 10);
  const list = (value: unknown) => (Array.isArray(value) ? value : []);
  let status = "INVESTIGATING";
  const incidentUpdates = list(body.incidentUpdates).map((update) => {
    status = update.status ?? status;
    const own = { created_at: today, publicIncidentUpdateDate: now, ...update, status };
    return { ...own, id: isReplacing ? randomUUID() : (update.id ?? randomUUID()) };
  });
  return {
    duration: null,
    created_at: today,
    updated_at: today,
    ...body,
    id,
    services: list(body.services).map((service) =>
      typeof service === "string" ? service : { created_at: today, ...service },
    ),
    incidentUpdates,
    lastUpdateStatus: status,
  } as unknown as StoredIncident;
}
