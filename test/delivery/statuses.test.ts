// What each status of an answer to a create says: whether the next run may send the create again.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId as id } from "../harness/builders.ts";
import { createWorld } from "../harness/incident.ts";
import { createService, refusal } from "./services-by-hand.ts";

const command = "create -f x.yaml --state-dir state --settle-for 1s --max-retries 0";

/** How often the same command sends when it is run twice. */
async function sendsOf(status: number) {
  const world = createWorld({ files: { "x.yaml": definitionYaml({ id }) } });
  const { sent, transport } = createService(() => refusal(status));
  const { exitCode } = await world.run(command, { transport });
  await world.run(command, { transport });
  return { isUncertain: exitCode === 8, sends: sent.length };
}

const unknown = [300, 301, 302, 303, 304, 305, 306, 309, 399, 408, 499, 500, 501, 502, 503, 504, 511, 599];
const refused = [
  307, 308, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 415, 418, 423, 451, 498,
];

describe("a create that is answered with", () => {
  it.each(unknown)("%i may have been accepted, so that it is not sent again", async (status) => {
    expect(await sendsOf(status)).toEqual({ isUncertain: true, sends: 1 });
  });

  it.each(refused)("%i was refused, so that the next run sends it again", async (status) => {
    expect(await sendsOf(status)).toEqual({ isUncertain: false, sends: 2 });
  });
});
