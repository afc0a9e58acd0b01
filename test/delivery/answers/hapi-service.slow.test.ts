// A service on hapi, whose validation library trims, normalizes and replaces what it stores, and whose own handling of
// HTTP answers the real transport.
import { server as createServer } from "@hapi/hapi";
import Joi from "joi";
import { describe, expect, it, onTestFinished } from "vitest";
import { createUndiciTransport } from "../../../src/http/undici-transport.ts";
import { access, definitionYaml, incidentId as id } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";

const words = Joi.string().trim().normalize("NFC").replace(/\s+/g, " ").required();
const payload = Joi.object({
  name: words,
  severity: Joi.string().lowercase(),
  services: Joi.array().items(Joi.object({ id: Joi.string().guid() }).rename("id", "serviceId").unknown()),
  incidentUpdates: Joi.array().items(Joi.object({ description: words }).unknown()),
}).unknown();

async function startService(ids: "keeps" | "replaces") {
  const stored = new Map<string, object>();
  const server = createServer({
    port: 0,
    host: "127.0.0.1",
    routes: { validate: { options: { convert: true } } },
  });
  const path = "/v1/status-pages/incidents";
  server.route({
    method: "POST",
    path,
    options: { validate: { payload } },
    handler: (request, h) => {
      const sent = request.payload as { readonly id: string };
      const own = ids === "keeps" ? sent.id : sent.id.replace(/^........./, "11111111-");
      const data = { ...sent, id: own, lastUpdateStatus: "Investigating" };
      stored.set(own, { data });
      return h.response({ data }).code(201);
    },
  });
  server.route({
    method: "GET",
    path: `${path}/{id}`,
    handler: ({ params }, h) =>
      stored.get(String(params.id)) ?? h.response({ statusCode: 404, error: "Not Found" }).code(404),
  });
  await server.start();
  onTestFinished(() => server.stop());
  return { url: server.info.uri, stored };
}

const fields = {
  name: '"Zu\\u0308rich:  payments  fail "',
  incidentUpdates: '[{ description: "We are looking.\\nMore follows.\\n" }]',
};

describe.each(["keeps", "replaces"] as const)("a service on hapi that %s ids", (ids) => {
  it("takes each create once, without a warning about its texts, and has no drift", async () => {
    const { stored, url } = await startService(ids);
    const files = {
      "folder/x.yaml": definitionYaml({ id, ...fields }),
      "plain.yaml": definitionYaml(fields),
    };
    const env = { INCIDENT_CLI_BASE_URL: url, INCIDENT_CLI_API_KEY: access.apiKey };
    const world = createWorld({ files, env });
    const transport = createUndiciTransport({});
    for (const line of ["create -f folder/x.yaml -o id", "create -f plain.yaml -o id"]) {
      const { exitCode, stdout, stderr } = await world.run(line, { transport });
      expect({ exitCode, known: stored.has(stdout.trim()) }).toEqual({ exitCode: 0, known: true });
      expect(stderr).not.toContain("differs");
    }
    const again = await world.run("apply -f folder", { transport });
    expect(again.exitCode).toBe(0);
    expect((await world.run("gate", { transport })).exitCode).toBe(12);
    expect(stored.size).toBe(2);
  });
});
