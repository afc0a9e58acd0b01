// Writes a contract as an OpenAPI document, as a service that follows the contract would publish it.
import type { Contract, ContractOperation } from "./contract.ts";

export function toDocument({ create, get, source }: Pick<Contract, "create" | "get" | "source">): object {
  const schemes = new Map([...create.security, ...get.security].map((way) => [way, schemeOf(way)]));
  return {
    openapi: "3.1.0",
    info: { title: source.title, version: source.date },
    paths: {
      [create.path]: { post: operation(create) },
      [get.path]: { get: operation(get) },
    },
    components: { securitySchemes: Object.fromEntries(schemes) },
  };
}

function operation({ answers, body, mediaTypes, parameters, security }: ContractOperation): object {
  const types = mediaTypes.length === 0 ? ["application/json"] : mediaTypes;
  return {
    parameters,
    security: security.map((way) => ({ [way]: [] })),
    ...(body && {
      requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: body }])) },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        { description: "", content: { "application/json": { schema } } },
      ]),
    ),
  };
}

function schemeOf(way: string): object {
  const [, place, name] = /^(header|query|cookie) (.+)$/.exec(way) ?? [];
  return place === undefined ? { type: "http", scheme: way } : { type: "apiKey", in: place, name };
}
