// `incident contract`: pull, show and check, and the commands that apply the contract.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contractOf } from "../../../src/document/contract-of.ts";
import type { Transport, WireRequest } from "../../../src/http/transport.ts";
import { serviceDocument } from "../../document/service-documents.ts";
import { access, incidentId, serviceYaml } from "../../harness/builders.ts";
import { nodeAt, vendorDocument, vendorText, vendorWith } from "../../harness/contracts.ts";
import { createWorld, incident } from "../../harness/incident.ts";

const definition = (updates = 1, more = "") => `id: 7c9e6679-7425-40de-944b-e07fc1f90ae7
name: Checkout fails
severity: MAJOR
services: [${serviceYaml}]
incidentUpdates:
${"  - description: We are looking into it.\n".repeat(updates)}${more}`;

interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** A service that only has documents. */
function serve(
  documents: Readonly<Record<string, Served>>,
): Transport & { readonly requests: WireRequest[] } {
  const requests: WireRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    const { status = 200, headers = {}, body = "" } = documents[request.url] ?? { status: 404 };
    return { phase: "answered", status, headers, body: Buffer.from(body) };
  };
  return Object.assign(transport, { requests });
}

/** The sentence about a document that describes the two operations of the spec alone. */
const nothingElse =
  "this service can do nothing else; not in its document: list, update, edit, list services\n";

const ownUrl = "http://127.0.0.1:1/openapi.json";

describe("incident contract pull", () => {
  it("writes the contract of the service, and says what else the service can do", async () => {
    const world = createWorld({ transport: serve({ [ownUrl]: { body: vendorText } }) });
    const { exitCode, stdout, stderr } = await world.run("contract pull");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `wrote incident.contract.json; commit it, so that everyone checks against it\n${nothingElse}`,
    });
    expect(stdout).toBe("");
    const { create } = JSON.parse(readFileSync(join(world.folder, "incident.contract.json"), "utf8"));
    expect(create).toEqual(contractOf(vendorDocument()).create);
  });

  it("keeps the rules of a sandbox out of the project, unless --yes says otherwise", async () => {
    const transport = serve({ [ownUrl]: { body: vendorText } });
    const world = createWorld({ transport, env: { INCIDENT_CLI_SANDBOX: "http://127.0.0.1:1" } });
    const { exitCode, stderr } = await world.run("contract pull");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain("nothing of it belongs in incident.contract.json");
    expect(existsSync(join(world.folder, "incident.contract.json"))).toBe(false);
    expect(transport.requests).toEqual([]);
    expect((await world.run("contract pull --yes")).exitCode).toBe(0);
  });

  it("gives the same bytes for the same document, on another day as well", async () => {
    const world = createWorld({ transport: serve({ [ownUrl]: { body: vendorText } }) });
    await world.run("contract pull");
    const read = () => readFileSync(join(world.folder, "incident.contract.json"), "utf8");
    const first = read();
    world.clock.advance(3 * 24 * 3_600_000);
    const { stderr } = await world.run("contract pull");
    expect(stderr).toBe(
      `wrote incident.contract.json; commit it, so that everyone checks against it\n${nothingElse}`,
    );
    expect(read()).toBe(first);
  });

  it.each<[string, Served, number, string]>([
    ["404", { status: 404 }, 7, `${ownUrl}: http://127.0.0.1:1 answered 404, but not as the service does`],
    [
      "401",
      { status: 401 },
      4,
      `${ownUrl}: the key was refused (401, but not as the service does: a proxy or gateway may stand in between)`,
    ],
    [
      "403 of the service",
      { status: 403, body: '{"statusCode":403,"error":"Forbidden","message":"Forbidden"}' },
      4,
      `${ownUrl}: the key has no permission for this (403: Forbidden)`,
    ],
    [
      "403 of a proxy",
      { status: 403, body: "<html>Blocked</html>" },
      6,
      `${ownUrl}: 127.0.0.1:1 answered 403, but not as the service does: a proxy or gateway may stand in between`,
    ],
    ["406", { status: 406 }, 6, `${ownUrl}: the service refused the request (406)`],
    ["503", { status: 503 }, 7, `${ownUrl}: the service failed (503)`],
    ...["/docs/v1.json", "https://docs.example.com/v1.json?key=1"].map(
      (location): [string, Served, number, string] => [
        `a redirect to ${location}`,
        { status: 302, headers: { location } },
        7,
        `${ownUrl}: the service answered with a redirect to ${location}, which is not followed`,
      ],
    ),
    ["HTML", { body: "<!doctype html><html></html>" }, 6, `${ownUrl} is HTML or XML, and not JSON or YAML`],
    ["nothing", { body: "" }, 6, `${ownUrl} is empty`],
    ["broken JSON", { body: '{"openapi": "3.0.0", ' }, 6, `${ownUrl} is neither JSON nor YAML`],
    ["other JSON", { body: "{}" }, 6, `${ownUrl} is not an OpenAPI document: it has no version, or no paths`],
    [
      "an API without incidents",
      { body: '{"openapi":"3.0.0","paths":{"/v1/checks":{"post":{}}}}' },
      6,
      `${ownUrl} has no POST /v1/status-pages/incidents`,
    ],
  ])("refuses %s in one sentence", async (_, served, exitCode, message) => {
    const result = await incident("contract pull", { transport: serve({ [ownUrl]: served }) });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr.split("\n")[0]).toBe(`error: ${message}`);
    expect(result.stdout).toBe("");
  });

  it("reads a file and stdin, without any settings", async () => {
    const files = { "vendor.json": vendorText };
    const env = { INCIDENT_CLI_BASE_URL: "", INCIDENT_CLI_API_KEY: "", INCIDENT_CLI_ACCOUNT_ID: "" };
    for (const [from, stdin] of [
      ["vendor.json", ""],
      ["-", vendorText],
    ] as const) {
      const { exitCode, requests } = await incident(`contract pull --from ${from}`, { files, env, stdin });
      expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    }
  });
});

async function withContract(document: unknown, text: string) {
  const world = createWorld({ files: { "doc.json": JSON.stringify(document), "x.yaml": text } });
  expect((await world.run("contract pull --from doc.json")).exitCode).toBe(0);
  return world;
}

it.each([{ $ref: "#/components/schemas/Missing" }, { $ref: "https://127.0.0.1/create.json" }])(
  "says that a body that is %j has no rule",
  async (schema) => {
    const document = vendorDocument();
    Object.assign(nodeAt(document, "paths /v1/status-pages/incidents post requestBody content"), {
      "application/json": { schema },
    });
    const world = createWorld({ files: { "doc.json": JSON.stringify(document) } });
    const { exitCode, stderr } = await world.run("contract pull --from doc.json");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("warning: the document describes no rule for the body of a create\n");
  },
);

it("tells in one warning the rules that no value satisfies, and leaves them out with the patterns", async () => {
  const document = vendorWith("Severity", { maxLength: 1 });
  Object.assign(nodeAt(document, "components schemas Status"), { enum: ["P1", "P2"] });
  Object.assign(nodeAt(document, "components schemas IncidentCreate properties name"), {
    pattern: "^(?=.*a)(.+)\\1$",
  });
  const files = { "doc.json": JSON.stringify(document), "x.yaml": definition() };
  const world = createWorld({ files });
  const { exitCode, stderr } = await world.run("contract pull --from doc.json");
  expect(exitCode).toBe(0);
  expect(stderr.split("\n")[0]).toBe(
    "warning: left out, as no definition can satisfy them: the service requires maxLength 1 of severity; " +
      "the service requires enum P1, P2 of status (incidentUpdates.status)",
  );
  expect((await world.run("validate x.yaml")).exitCode).toBe(0);
});

describe("with a contract", () => {
  it.each(["create -f x.yaml", "apply -f x.yaml --yes"])(
    "%s --ignore-contract sends it anyway",
    async (line) => {
      const world = await withContract(vendorDocument(), definition(2));
      const { exitCode, stderr } = await world.run(`${line} --ignore-contract`);
      expect(exitCode).toBe(0);
      expect(stderr).toContain("incident.contract.json is not checked");
      expect(world.sandbox.incidents()).toHaveLength(1);
    },
  );

  it("declares what the contract accepts, with the account of the settings in each service", async () => {
    const world = await withContract(vendorDocument(), definition());
    expect((await world.run("create -f x.yaml")).exitCode).toBe(0);
  });

  it("does not show a key that stands in the place of the account", async () => {
    const world = await withContract(vendorDocument(), definition());
    const env = { INCIDENT_CLI_ACCOUNT_ID: access.apiKey };
    for (const line of ["validate x.yaml", "create -f x.yaml --dry-run"])
      expect((await world.run(line, { env })).screen).not.toContain(access.apiKey);
  });

  it("gives one diagnostic for one mistake, and all mistakes at once", async () => {
    const text = definition(2)
      .replace("MAJOR", "major")
      .replace("name: Checkout fails", "nam: Checkout fails");
    const world = await withContract(vendorDocument(), text);
    const { stdout } = await world.run("validate x.yaml -o json");
    const codes = JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(["unknown-field", "unknown-severity", "contract"]);
  });

  it.each(["contract pull", "create -f x.yaml --ignore-contract", "get ID --no-project", "config show"])(
    "does not stop %s, where it is broken",
    async (line) => {
      const world = createWorld({ files: { "incident.contract.json": "{", "x.yaml": definition() } });
      await world.run("create -f x.yaml --no-project");
      expect((await world.run(line.replace("ID", incidentId))).exitCode).toBe(0);
    },
  );
});

describe("incident contract check", () => {
  it("is silent where the document says the same", async () => {
    const world = await withContract(vendorDocument(), definition());
    const { exitCode, stdout, stderr } = await world.run("contract check --from doc.json");
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: `${nothingElse}doc.json matches incident.contract.json\n`,
    });
  });

  it("exits with 11, and lists each difference", async () => {
    const world = await withContract(vendorDocument(), definition());
    const changed = vendorWith("IncidentCreate properties name", { maxLength: 10 });
    delete nodeAt(changed, "components schemas IncidentCreate properties incidentUpdates")["x-constraint"];
    const { exitCode, stdout, stderr } = await world.run("contract check --from - -o json", {
      stdin: JSON.stringify(changed),
    });
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout).differences).toEqual([
      { is: "new", text: "create.body.properties.name.maxLength: 10" },
      { is: "gone", text: "create.body.properties.incidentUpdates.maxItems: 1" },
      { is: "gone", text: "create.body.properties.incidentUpdates.minItems: 1" },
      { is: "gone", text: "create.body.properties.name.maxLength: 255" },
    ]);
    expect(JSON.parse(stderr).error.message).toBe(
      "the service's document differs from incident.contract.json",
    );
  });
});

describe("the operations of a contract", () => {
  const pulled = async () => {
    const world = createWorld({ files: { "doc.json": JSON.stringify(serviceDocument()) } });
    return { world, pull: await world.run("contract pull --from doc.json -o json") };
  };
  const all = { can: ["list", "update", "edit", "list services"], cannot: [] };
  /** The document without the services. */
  const changed = () => {
    const document = serviceDocument();
    delete nodeAt(document, "paths")["/v1/status-pages/services"];
    return JSON.stringify(document);
  };

  it("are kept beside the rules, and told", async () => {
    const { pull, world } = await pulled();
    expect(JSON.parse(pull.stdout).operations).toEqual(all);
    const show = await world.run("contract check --from doc.json");
    expect(show.stderr).toContain("this service can also: list, update, edit, list services\n");
  });

  it("that are gone are a difference", async () => {
    const { world } = await pulled();
    const { exitCode, stderr, stdout } = await world.run("contract check --from -", { stdin: changed() });
    expect(exitCode).toBe(11);
    expect(stdout).toMatch(/^gone +operations\.services\./m);
    expect(stderr).toContain("not in its document: list services\n");
  });

  it("name the account header, which the environment overrides", async () => {
    const { world } = await pulled();
    const unnamed = { INCIDENT_CLI_ACCOUNT_HEADER: undefined };
    const show = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await world.run("config show", { env: { ...unnamed, ...env } });
      return stdout.split("\n").find((line) => line.startsWith("accountHeader"));
    };
    expect(await show({})).toMatch(/^accountHeader +x-vendor-account +incident\.contract\.json$/);
    expect(await show({ INCIDENT_CLI_ACCOUNT_HEADER: "X-Tenant" })).toMatch(
      /^accountHeader +X-Tenant +INCIDENT_CLI_ACCOUNT_HEADER$/,
    );
    const { requests } = await world.run("get 7c9e6679-7425-40de-944b-e07fc1f90ae7", { env: unnamed });
    expect(requests.map(({ headers }) => headers["x-vendor-account"])).toEqual([access.accountId]);
  });
});
