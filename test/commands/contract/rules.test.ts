// The rules of whole documents in `incident contract pull`; document/contract.test.ts has each rule.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseContract } from "../../../src/document/contract.ts";
import { contractOf } from "../../../src/document/contract-of.ts";
import type { Answered } from "../../../src/http/transport.ts";
import { openapi } from "../../../src/sandbox/openapi.ts";
import { answer, incidentId } from "../../harness/builders.ts";
import { answering } from "../../harness/changed-service.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are changed at will.
type Document = any;

const copy = (): Document => JSON.parse(JSON.stringify(openapi));

/** A world whose service publishes this answer as its document. */
function worldWith(document: Partial<Answered>) {
  const published = { ...answer(""), ...document };
  const transport = answering(createWorld().sandbox, ({ url }) =>
    url.endsWith("/openapi.json") ? published : undefined,
  );
  return createWorld({ transport, files: { ".incident.yaml": "services: {}\n" } });
}

describe("the rules of a document", () => {
  it.each(lifeServices)("of %s are saved as its document has them", async (_name, open) => {
    const { env, transport } = await open();
    const world = createWorld({ env, transport });
    expect(await world.run("contract pull")).toMatchObject({ exitCode: 0 });
    expect(await world.run("contract check")).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [403, "Forbidden"],
    [400, 'header "x-account-ref" is required'],
    [400, 'header "x-tenant" is required'],
  ])("names them where the service refuses the header with %d", async (status, message) => {
    const world = createWorld({
      transport: async () => answer({ statusCode: status, error: "No", message }, status),
    });
    const { stderr } = await world.run(`get ${incidentId}`);
    expect(stderr).toContain("INCIDENT_CLI_ACCOUNT_HEADER, or accountHeader in the profile");
  });

  it("are read in a document of 35 MB", async () => {
    const body = JSON.stringify({ ...copy(), "x-text": "filler ".repeat(5_000_000) });
    const world = worldWith({ body: Buffer.from(body) });
    expect((await world.run("contract pull")).exitCode).toBe(0);
    const saved = parseContract(readFileSync(join(world.folder, "incident.contract.json"), "utf8"));
    expect(saved.create).toEqual(contractOf(copy()).create);
  });
});

it.each(["doctor", "contract pull"])(
  "%s marks an operation in a form that incident does not know",
  async (line) => {
    const document = copy();
    // An edit of fields that no incident has.
    const content = { "application/json": { schema: { type: "object", properties: { colour: {} } } } };
    document.paths["/v1/status-pages/incidents/{incidentId}"].patch = {
      requestBody: { content },
      responses: {},
    };
    const world = worldWith({ body: Buffer.from(JSON.stringify(document)) });
    const { exitCode, screen } = await world.run(line);
    expect(exitCode).toBe(0);
    expect(screen).toContain("not in its document: list, update, edit (in another form), list services");
  },
);
