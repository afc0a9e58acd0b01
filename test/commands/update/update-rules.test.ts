// The rules of the service for an added update: checked before anything is sent, and what its body does not name is told.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId, terminal } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices, withDocument } from "../../service/life/life-services.ts";

type Schema = { properties: Record<string, Record<string, unknown>>; [keyword: string]: unknown };

/** An incident at the service with envelopes, whose document describes an added update in another way. */
async function openWorld(
  change: (addUpdate: Schema) => void,
  more: Parameters<typeof createWorld>[0] = {},
  ids: "kept" | "replaced" = "kept",
) {
  const [, open] = lifeServices[1] as (typeof lifeServices)[number];
  const service = await open({ ids });
  const world = createWorld({
    ...more,
    env: { ...service.env, ...more.env },
    files: { "x.yaml": definitionYaml({ id: incidentId }), ...more.files },
    transport: withDocument(service, ({ definitions }) => change(definitions.AddUpdate)),
  });
  expect((await world.run("create x.yaml")).exitCode).toBe(0);
  const posted = () =>
    service.requests
      .filter(({ operation }) => operation === "update")
      .map(({ request }) => JSON.parse(Buffer.from(request.body ?? "").toString()));
  return { ...world, posted };
}

it("an edit of an incident that is shown without a status and a severity is made", async () => {
  const [, open] = lifeServices[1];
  const service = await open();
  const world = createWorld({ env: service.env, files: { "x.yaml": definitionYaml() } });
  const { stdout } = await world.run("create x.yaml -o id", { transport: service.transport });
  const transport = rewriting(service, (text, { url }) => {
    if (url.endsWith(".json")) return undefined;
    const { id, name, services } = JSON.parse(text).data;
    return JSON.stringify({ data: { id, name, services } });
  });
  const { exitCode, stderr } = await world.run(`update ${stdout.trim()} --name 'Checkout is down'`, {
    transport,
  });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(service.incidents()[0]?.name).toBe("Checkout is down");
});

const update = `update ${incidentId} --status monitoring --message 'We are watching it.'`;
const resolve = `resolve ${incidentId} --message 'We are watching it.'`;

const withoutNotify = ({ properties }: Schema) => {
  delete properties.notifySubscribers;
};
const shortText = ({ properties }: Schema) => {
  properties.description = { type: "string", maxLength: 10 };
};
const strict = (addUpdate: Schema) => {
  withoutNotify(addUpdate);
  addUpdate.additionalProperties = false;
};

describe("the rules of the service for an added update", () => {
  it.each([update, resolve])("stop %s before it is sent, and --ignore-contract sends it", async (line) => {
    const { posted, run } = await openWorld(shortText);
    const refused = await run(line);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("--message: the service requires maxLength 10");
    expect(posted()).toEqual([]);
    expect((await run(`${line} --ignore-contract`)).exitCode).toBe(0);
    expect(posted()).toHaveLength(1);
  });

  it("take a field that they name as required and that the tool fills in", async () => {
    const { posted, run } = await openWorld((addUpdate) => {
      addUpdate.required = ["description", "status", "notifySubscribers"];
    });
    expect((await run(update)).exitCode).toBe(0);
    expect(posted()).toMatchObject([{ notifySubscribers: false }]);
  });

  it("refuse --notify where they permit no other field", async () => {
    const { posted, run } = await openWorld(strict);
    const refused = await run(`${update} --notify`);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("--notify: the service requires that notifySubscribers is left out");
    expect((await run(update)).exitCode).toBe(0);
    expect(posted()).toEqual([{ description: "We are watching it.", status: "MONITORING" }]);
  });
});

describe("a dry run", () => {
  it.each([
    [update, "notifies no subscribers"],
    [`${update} --notify`, "notifies the subscribers of Checkout"],
    [`update ${incidentId} --severity critical`, "nothing states whether an edit notifies subscribers"],
    ["create -f other.yaml --notify", "notifies the subscribers of Checkout"],
  ])("of %s says whom it notifies", async (line, said) => {
    const { run } = await openWorld(() => undefined, {
      files: { "other.yaml": definitionYaml({ name: "x" }) },
    });
    const preview = await run(`${line} --dry-run`);
    expect(preview.exitCode, preview.stderr).toBe(0);
    expect(preview.stderr).toContain(said);
  });
});

describe("a body that names no notifySubscribers", () => {
  it("gets none, and the run says so before it sends", async () => {
    const { posted, run } = await openWorld(withoutNotify);
    const { exitCode, screen } = await run(`${update} --notify`);
    expect(exitCode).toBe(0);
    expect(posted()[0]).not.toHaveProperty("notifySubscribers");
    const [warned, told, done] = [
      "this service takes no notifySubscribers with an added update",
      "notifies no subscribers",
      `posted MONITORING of ${incidentId}`,
    ].map((text) => screen.indexOf(text)) as [number, number, number];
    expect(warned).toBeGreaterThanOrEqual(0);
    expect(told).toBeGreaterThan(warned);
    expect(done).toBeGreaterThan(told);
  });

  it("says nothing to a person who did not ask to notify, and asks nothing", async () => {
    const { run } = await openWorld(withoutNotify);
    expect((await run(update)).stderr).not.toContain("notifySubscribers");
    const asked = await run(`resolve ${incidentId}`, { terminal, answers: ["It is over.", "y"] });
    expect(asked.exitCode).toBe(0);
    expect(asked.screen).not.toContain("Notify the subscribers of");
  });

  it("shows the preview as it is sent, and the rerun posts nothing", async () => {
    const { posted, run } = await openWorld(withoutNotify);
    const preview = await run(`${update} --notify --dry-run -o json`);
    const { body, confirm } = JSON.parse(preview.stdout);
    expect(preview.stderr).toContain("takes no notifySubscribers");
    expect(JSON.parse(body)).toEqual({ description: "We are watching it.", status: "MONITORING" });
    expect((await run(`${update} --notify --confirm ${confirm}`)).exitCode).toBe(0);
    expect((await run(`${update} --notify`)).exitCode).toBe(0);
    expect(posted()).toHaveLength(1);
  });

  it("is the same in an apply, whose consent covers what is sent", async () => {
    const incidentUpdates =
      "[{ description: We are looking into it. }, { description: We are watching it., status: MONITORING, notifySubscribers: true }]";
    const files = { "later.yaml": definitionYaml({ id: incidentId, incidentUpdates }) };
    const { posted, run } = await openWorld(withoutNotify, { files });
    const preview = await run("apply -f later.yaml --dry-run -o json");
    const { confirm, results } = JSON.parse(preview.stdout);
    expect(preview.stderr).toContain("this service takes no notifySubscribers with an added update");
    expect(results[0].requests[0].body).not.toHaveProperty("notifySubscribers");
    const applied = await run(`apply -f later.yaml --confirm ${confirm}`);
    expect(applied.exitCode).toBe(0);
    expect(await run("apply -f later.yaml")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("= unchanged"),
    });
    expect(applied.stderr).toContain("notifies no subscribers");
    expect(posted().at(-1)).toEqual({ description: "We are watching it.", status: "MONITORING" });
  });
});

it.each([update, resolve])(
  "%s is sent where the document requires an id, which no flag gives",
  async (line) => {
    const world = await openWorld((addUpdate) => {
      addUpdate.properties.id = { type: "string" };
      addUpdate.required = ["description", "id"];
    });
    const { exitCode, stderr } = await world.run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(world.posted()).toHaveLength(1);
  },
);
