// A 404 names the base URL first, unless something was declared with it from here.
import { describe, expect, it } from "vitest";
import { access, definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld, type Setup } from "../../harness/incident.ts";
import { definition } from "../sample-definition.ts";

const suspect = `check the base URL from INCIDENT_CLI_BASE_URL first (${access.baseUrl}), with which nothing was declared from here yet: incident doctor does; then `;
const files = { "x.yaml": definition, "own.yaml": definitionYaml({ id: incidentId }) };
const notFound: Setup["transport"] = async () => ({
  phase: "answered",
  status: 404,
  headers: {},
  body: Buffer.from('{"statusCode":404,"error":"Not Found","message":"Not Found"}'),
});

describe("a 404", () => {
  it.each([
    [`get ${incidentId}`, 5, `${suspect}check the id and the account`],
    ["create x.yaml", 6, `${suspect}check the services' ids and the account`],
    ["apply -f own.yaml --yes", 6, `${suspect}check the services' ids and the account`],
  ])("of %s names the base URL first while nothing has worked with it", async (line, code, hint) => {
    const world = createWorld({ files });
    const { exitCode, stderr } = await world.run(line, { transport: notFound });
    expect(exitCode).toBe(code);
    expect(stderr).toContain(`  next: ${hint}\n`);
    expect((await world.run("create x.yaml")).exitCode).toBe(0);
    const later = await world.run(line, { transport: notFound });
    expect(later.stderr).not.toContain("the base URL");
  });

  it("does not say that nothing was declared where another journal may know better", async () => {
    const env = { INCIDENT_CLI_JOURNAL: "postgres://writer@127.0.0.1:1/journal" };
    const { stderr } = await createWorld({ env }).run(`get ${incidentId}`, { transport: notFound });
    expect(stderr).toContain(
      `check the base URL from INCIDENT_CLI_BASE_URL first (${access.baseUrl}): incident doctor does; then `,
    );
  });
});
