// Services that do not echo: each stores or writes an incident in its own way, and none of them makes an outcome
// unknown, declares twice, or loses an id.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id, numberedId, serviceId } from "../../harness/builders.ts";
import { sampled } from "../../harness/cases.ts";
import { createWorld } from "../../harness/incident.ts";
import { answer, createService, lost, refusal } from "../services-by-hand.ts";

type Fields = Record<string, unknown>;
interface Stored extends Fields {
  readonly id: string;
  readonly name: string;
  readonly severity: string;
  readonly services: readonly { readonly id: string; readonly name: string }[];
  readonly incidentUpdates: readonly { readonly description: string; readonly status: string }[];
}

const searchId = serviceId.replace("6b", "6c");
const parent = { id: serviceId.replace("6b", "6d"), name: "Shop" };
const fields = {
  name: '"Payments <b>fail</b> &  time out in Zu\u0308rich"',
  services: `[{ name: Checkout, id: ${serviceId} }, { name: Search, id: ${searchId} }]`,
  incidentUpdates: `
  - description: |
      We are looking into it.
      More follows at 10 o'clock, "soon".
    status: INVESTIGATING
  - description: A fix is on its way.
    status: IDENTIFIED`,
  duration: "5",
};

/** Each text of the incident. */
const texts =
  (change: (text: string) => string) =>
  (incident: Stored): Fields => ({
    ...incident,
    name: change(incident.name),
    incidentUpdates: incident.incidentUpdates.map((one) => ({
      ...one,
      description: change(one.description),
    })),
  });
const servicesAs =
  (change: (service: Stored["services"][number]) => unknown) =>
  (incident: Stored): Fields => ({ ...incident, services: incident.services.map(change) });
const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&#34;")
    .replaceAll("'", "&#x27;");
const ownUpdate = { id: numberedId(1), description: "Incident created.", status: "INVESTIGATING" };

/** Whether the service only writes the incident in another way, or edits it, and the incident as it writes it. */
const services: readonly (readonly [string, "writes" | "edits", (incident: Stored) => unknown])[] = [
  ["trims texts", "writes", texts((text) => text.trim())],
  ["normalises Unicode", "writes", texts((text) => text.normalize("NFC"))],
  ["turns line ends", "writes", texts((text) => text.replaceAll("\n", "\r\n"))],
  ["collapses white space", "writes", texts((text) => text.replace(/\s+/g, " "))],
  ["escapes HTML", "writes", texts(escapeHtml)],
  ["removes tags", "writes", texts((text) => text.replace(/<[^>]*>/g, ""))],
  ["writes HTML", "writes", texts((text) => `<p>${escapeHtml(text).replaceAll("\n", "<br />")}</p>`)],
  [
    "writes enumerations in lower case",
    "writes",
    ({ incidentUpdates, severity, ...incident }) => ({
      ...incident,
      severity: severity.toLowerCase(),
      lastUpdateStatus: "identified",
      incidentUpdates: incidentUpdates.map((update) => ({ ...update, status: update.status.toLowerCase() })),
    }),
  ],
  ["adds a service", "edits", (incident) => ({ ...incident, services: [parent, ...incident.services] })],
  ["writes services as ids", "writes", servicesAs((service) => service.id.toUpperCase())],
  ["writes services as names", "writes", servicesAs((service) => service.name)],
  ["writes services as {serviceId}", "writes", servicesAs((service) => ({ serviceId: service.id }))],
  ["computes the duration", "edits", (incident) => ({ ...incident, duration: 0 })],
  [
    "cuts the texts of updates",
    "edits",
    ({ incidentUpdates, ...incident }) => ({
      ...incident,
      incidentUpdates: incidentUpdates.map((one) => ({ ...one, description: one.description.slice(0, 20) })),
    }),
  ],
  ["cuts every text with an ellipsis", "edits", texts((text) => `${text.slice(0, 12)}…`)],
  ["shows only an update of its own", "edits", (incident) => ({ ...incident, incidentUpdates: [ownUpdate] })],
  [
    "adds an update of its own and reverses the order",
    "writes",
    (incident) => ({ ...incident, incidentUpdates: [...incident.incidentUpdates.toReversed(), ownUpdate] }),
  ],
  ["wraps the incident in data", "writes", (incident) => ({ data: incident })],
  ["wraps the incident in incident", "writes", (incident) => ({ id: "request-7", incident })],
];

const files = { "plain.yaml": definitionYaml(fields), "with-id/x.yaml": definitionYaml({ id, ...fields }) };
const flags = "--settle-for 1s";

/** A service that writes incidents with `shape`. `own` gives the id of an incident, `isLost` loses the answers. */
function createShaping(
  shape: (incident: Stored) => unknown,
  { own = (sent: string) => sent, isLost = false } = {},
) {
  const stored = new Map<string, Stored>();
  return createService(
    (body) => {
      const incident = {
        ...body,
        id: own(body.id as string),
        lastUpdateStatus: "IDENTIFIED",
      } as unknown as Stored;
      stored.set(incident.id, incident);
      return isLost ? lost : answer(201, shape(incident));
    },
    (asked) => {
      const incident = stored.get(asked);
      return incident === undefined ? refusal(404) : answer(200, shape(incident));
    },
  );
}

// The others in `.ci/run`.
describe.each(sampled(services, 3))("a service that %s", (_, kind, shape) => {
  it.each([
    ["plain", "plain.yaml", false],
    ["with an id", "with-id/x.yaml", false],
    ["whose answer is lost", "with-id/x.yaml", true],
    ["whose answer is lost, without an id", "plain.yaml", true],
  ])("takes a create %s, and the right id is told", async (_way, file, isLost) => {
    const world = createWorld({ files });
    const { sent, transport } = createShaping(shape, { isLost });
    const { exitCode, stdout, stderr } = await world.run(`create -f ${file} -o id ${flags}`, { transport });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${sent[0]?.id}\n` });
    expect(sent).toHaveLength(1);
    const warnings = stderr.split("\n").filter((line) => line.startsWith("warning:"));
    expect(warnings).toHaveLength(kind === "edits" ? 1 : 0);
    if (kind === "edits")
      expect(warnings[0]).toContain(`incident ${sent[0]?.id} differs from its definition: `);
  });

  it("is read again by a rerun, here and on another machine", async () => {
    const world = createWorld({ files });
    const { sent, transport } = createShaping(shape);
    for (const state of ["here", "here", "elsewhere"]) {
      const line = `INCIDENT_CLI_STATE_DIR=${state} create -f with-id/x.yaml -o id ${flags}`;
      expect(await world.run(line, { transport })).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
    }
    expect(sent).toHaveLength(1);
  });

  it("has no drift: what its answer changed is no difference later", async () => {
    const world = createWorld({ files });
    const { sent, transport } = createShaping(shape);
    expect((await world.run(`apply -f with-id ${flags}`, { transport })).exitCode).toBe(0);
    const again = await world.run(`apply -f with-id ${flags}`, { transport });
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(sent).toHaveLength(1);
  });

  it("tells its own id where it ignores the id of the create", async () => {
    for (const file of ["plain.yaml", "with-id/x.yaml"]) {
      const world = createWorld({ files });
      const { sent, transport } = createShaping(shape, { own: () => numberedId(42) });
      const line = `create -f ${file} -o id ${flags}`;
      expect(await world.run(line, { transport })).toMatchObject({
        exitCode: 0,
        stdout: `${numberedId(42)}\n`,
      });
      expect(sent).toHaveLength(1);
      expect((await world.run(`gate ${flags}`, { transport })).exitCode).toBe(12);
    }
  });

  it("refuses another incident under the id of a definition", async () => {
    const world = createWorld({ files });
    const other = { id, name: "Search is slow", severity: "MINOR" };
    const { sent, transport } = createService(
      lost,
      answer(200, shape({ ...other, services: [parent], incidentUpdates: [ownUpdate] })),
    );
    const { exitCode, stderr } = await world.run(`create -f with-id/x.yaml ${flags}`, { transport });
    expect(exitCode).toBe(6);
    expect(stderr).toContain('severity is "MINOR", not "MAJOR"');
    expect(sent).toHaveLength(0);
  });
});
