// What the service on hapi can also do, in shapes that differ from the sandbox's: PATCH for the edit, `/updates` for the
// path, 201 and the incident for an added update, and bare arrays with `page` and `per_page` as lists.
import { randomUUID } from "node:crypto";
import Boom from "@hapi/boom";
import type { Lifecycle, Request, ServerRoute } from "@hapi/hapi";
import Joi from "joi";
import { accountId, incidentsPath } from "../../sandbox/requests.ts";
import type { StoredIncident } from "./stored-incident.ts";

interface HapiLifeOptions {
  readonly incidents: Map<string, StoredIncident>;
  /** The rules of the headers and of an incident in an answer. */
  readonly headers: Joi.ObjectSchema;
  readonly incidentSchema: Joi.ObjectSchema;
  readonly isReplacing: boolean;
}

const guid = Joi.string().guid();
const params = Joi.object({ incidentId: guid.required() });
const severities = ["CRITICAL", "MAJOR", "MEDIUM", "MINOR"];
const statuses = ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"];

const serviceSchema = Joi.object({
  name: Joi.string().required(),
  id: guid.required(),
  accountId: guid.required(),
  created_at: Joi.string(),
  updated_at: Joi.string().allow(null),
}).label("EditService");

const edit = Joi.object({
  name: Joi.string().max(255),
  severity: Joi.string().valid(...severities),
  services: Joi.array().items(serviceSchema).min(1),
})
  .min(1)
  .label("EditIncident");

const added = Joi.object({
  description: Joi.string().required(),
  status: Joi.string()
    .valid(...statuses)
    .required(),
  notifySubscribers: Joi.boolean().default(false),
  id: guid,
  publicIncidentUpdateDate: Joi.string().isoDate(),
  created_at: Joi.string(),
}).label("AddUpdate");

const readUpdate = Joi.object({
  id: guid.required(),
  description: Joi.string().required(),
  status: Joi.string().valid(...statuses),
  notifySubscribers: Joi.boolean(),
  publicIncidentUpdateDate: Joi.string(),
  created_at: Joi.string(),
}).label("ReadUpdate");

const pages = Joi.object({
  page: Joi.number().integer().min(1).default(1),
  per_page: Joi.number().integer().min(1).max(50).default(20),
});

function pageOf<T>(all: readonly T[], query: Request["query"]): readonly T[] {
  const { page, per_page } = query as { readonly page: number; readonly per_page: number };
  return all.slice((page - 1) * per_page, page * per_page);
}

export function hapiLifeRoutes({
  headers,
  incidentSchema,
  incidents,
  isReplacing,
}: HapiLifeOptions): ServerRoute[] {
  const route = (
    method: "GET" | "PATCH" | "POST",
    path: string,
    { validate = {}, answer, status = 200 }: { validate?: object; answer: Joi.Schema; status?: number },
    handler: Lifecycle.Method,
  ): ServerRoute => ({
    method,
    path,
    options: {
      auth: "key",
      tags: ["api"],
      description: `${method} ${path}`,
      plugins: { "hapi-swagger": { responses: { [status]: { description: "Successful", schema: answer } } } },
      validate: { headers, ...validate },
    },
    handler,
  });
  const find = (request: Request): StoredIncident => {
    const incident = incidents.get(String(request.params.incidentId).toLowerCase());
    if (incident === undefined) throw Boom.notFound();
    return incident;
  };
  const save = <T extends StoredIncident>(incident: T): T => {
    incidents.set(incident.id.toLowerCase(), incident);
    return incident;
  };
  const one = `${incidentsPath}/{incidentId}`;
  return [
    route(
      "GET",
      incidentsPath,
      { validate: { query: pages }, answer: Joi.array().items(incidentSchema).label("Incidents") },
      (request) => pageOf([...incidents.values()].reverse(), request.query),
    ),
    route("PATCH", one, { validate: { params, payload: edit }, answer: incidentSchema }, (request) =>
      save({ ...find(request), ...(request.payload as object) }),
    ),
    route(
      "POST",
      `${one}/updates`,
      { validate: { params, payload: added }, answer: incidentSchema, status: 201 },
      (request, toolkit) => {
        const incident = find(request);
        const { id, ...payload } = request.payload as StoredIncident["incidentUpdates"][number];
        const now = new Date().toISOString();
        const update = {
          publicIncidentUpdateDate: now,
          created_at: now.slice(0, 10),
          ...payload,
          id: (isReplacing ? undefined : id) ?? randomUUID(),
        };
        const incidentUpdates = [...incident.incidentUpdates, update];
        return toolkit
          .response(save({ ...incident, incidentUpdates, lastUpdateStatus: update.status }))
          .code(201);
      },
    ),
    route(
      "GET",
      `${one}/updates`,
      { validate: { params }, answer: Joi.array().items(readUpdate).label("Updates") },
      (request) => [...find(request).incidentUpdates],
    ),
    route(
      "GET",
      "/v1/status-pages/services",
      { validate: { query: pages }, answer: Joi.array().items(serviceSchema).label("Services") },
      (request) => {
        const own = { name: "Checkout", id: "3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b", accountId };
        return pageOf([own, ...[...incidents.values()].flatMap(({ services }) => services)], request.query);
      },
    ),
  ];
}
