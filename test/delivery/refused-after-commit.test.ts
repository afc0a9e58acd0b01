// A proxy or a limiter that refuses what the service has committed: the next attempt looks for the id before it sends.
import { describe, expect, it } from "vitest";
import type { WireRequest } from "../../src/http/transport.ts";
import { definitionYaml, incidentId, terminal } from "../harness/builders.ts";
import { createWorld, type World } from "../harness/incident.ts";
import { refusal } from "./services-by-hand.ts";

const files = {
  "id.yaml": definitionYaml({ id: incidentId }),
  "edited.yaml": definitionYaml({ id: incidentId, severity: "MINOR" }),
  "plain.yaml": definitionYaml(),
};

interface Proxy {
  readonly status: number;
  /** Reads that still answer 404 after the commit. */
  readonly staleReads?: number;
}

/** The service behind a proxy that hands the first create on, and answers it with a refusal of its own. */
function behind(world: World, { staleReads = 0, status }: Proxy) {
  let posts = 0;
  let stale = staleReads;
  return async (request: WireRequest, control: Parameters<World["sandbox"]["transport"]>[1]) => {
    if (request.method === "GET" && posts > 0 && stale-- > 0) return refusal(404);
    const outcome = await world.sandbox.transport(request, control);
    if (request.method !== "POST" || outcome.phase !== "answered") return outcome;
    posts += 1;
    return posts === 1 ? refusal(status) : outcome;
  };
}

describe("a create that was committed and then refused", () => {
  it("refuses an edit that the incident does not have, and accepts it once it is undone", async () => {
    const world = createWorld({ files });
    const transport = behind(world, { status: 403 });
    await world.run("create -f id.yaml", { transport });
    const edited = await world.run("create -f edited.yaml", { transport });
    expect(edited).toMatchObject({ exitCode: 6, posts: 0, stdout: "" });
    expect(edited.stderr).toContain(
      `incident ${incidentId} exists and differs: severity is "MAJOR", not "MINOR"`,
    );
    const undone = await world.run("create -f id.yaml -o id", { transport });
    expect(undone).toMatchObject({ exitCode: 0, posts: 0, stdout: `${incidentId}\n` });
  });

  it("is not sent again where the look fails, unless a person says so", async () => {
    const world = createWorld({ files, faults: ["create#1:403", "get#1-9:503"] });
    await world.run("create -f plain.yaml");
    const again = await world.run("create -f plain.yaml");
    expect(again).toMatchObject({ exitCode: 7, posts: 0 });
    const sent = await world.run("create -f plain.yaml", { terminal, answers: ["y"] });
    expect(sent).toMatchObject({ exitCode: 0, posts: 1 });
  });

  it("with 409, twice delivered, is unknown where its id was chosen at random, else shown later", async () => {
    const other = createWorld({ files });
    const late = { transport: behind(other, { status: 409, staleReads: 9 }) };
    expect((await other.run("create -f id.yaml", late)).stderr).toContain("id may not be shown yet: run it");
    const world = createWorld({ files });
    const transport = behind(world, { status: 409, staleReads: 1000 });
    const { stderr, ...unknown } = await world.run("create -f plain.yaml", { transport });
    expect(unknown).toMatchObject({ exitCode: 8, posts: 1 });
    const [{ id = "" } = {}] = world.sandbox.incidents();
    expect(stderr).toContain(`incident journal settle ${id} --created`);
    expect((await world.run("journal list --open -o id")).stdout.trim()).toBe(id);
    const later = await world.run("create -f plain.yaml -o id");
    expect(later).toMatchObject({ exitCode: 0, posts: 0, stdout: `${id}\n` });
  });
});
