// The verdicts of the local check and of a service on hapi about the same definition.

import { createBodyCheck } from "../../src/document/check-body.ts";
import { contractOf } from "../../src/document/contract-of.ts";
import { createBody } from "../../src/incident/create-body.ts";
import type { Definition } from "../../src/incident/definition.ts";
import { checkSources, defaultLoadOptions } from "../../src/source/definitions.ts";
import { accountId, apiKey, incidentsPath } from "../sandbox/requests.ts";
import type { HapiServer } from "../service/hapi-server.ts";

/** The check of a definition with the rules of the document that the server publishes. */
export async function openCheck({ server }: HapiServer) {
  const { payload } = await server.inject("/openapi.json");
  const { create } = contractOf(JSON.parse(payload));
  const check = createBodyCheck({ formatVersion: 1, source: { from: "" }, create }, accountId);
  return (value: unknown) =>
    checkSources([{ file: "x.yaml", bytes: Buffer.from(JSON.stringify(value, null, 1)) }], {
      ...defaultLoadOptions(),
      contract: check,
    });
}

/** The status of a create with the body that is sent for the definition. */
export async function declare({ server }: HapiServer, value: unknown): Promise<number> {
  const { statusCode } = await server.inject({
    method: "POST",
    url: incidentsPath,
    headers: { authorization: `Bearer ${apiKey}`, "x-service-account": accountId },
    payload: createBody(value as Definition, undefined, accountId) as object,
  });
  return statusCode;
}
