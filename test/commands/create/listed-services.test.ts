// The question of services in an interactive create offers the services that the service lists.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { serviceId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const terminal = { stdin: true, stdout: true, stderr: true };
const start = ["Checkout fails", "MAJOR"];
const rest = ["INVESTIGATING", "We are looking into it.", "No", "y"];
const payments = "payments: { name: Payments, id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }";
const isForServices = (url: string) => new URL(url).pathname === "/v1/status-pages/services";

/** The labels of the question, or undefined where there is no list to choose from. */
const offered = (screen: string) =>
  /\? Which services are affected\?\n((?: {2}- .*\n)+)/
    .exec(screen)?.[1]
    ?.split("\n")
    .slice(0, -1)
    .map((line) => line.slice(4));

describe.each(lifeServices)("the services to choose from, at %s", (_, open) => {
  const prepare = async (catalog: string) => {
    const service = await open();
    const { env, transport } = service;
    const files = catalog === "" ? {} : { ".incident.yaml": `services:\n  ${catalog}\n` };
    const world = createWorld({ env, transport, files, terminal });
    expect(await world.run("contract pull")).toMatchObject({ exitCode: 0 });
    return { service, world };
  };

  it("are those of the list where there is no catalog", async () => {
    const { service, world } = await prepare("");
    const { exitCode, screen } = await world.run("create", { answers: [...start, "Checkout", ...rest] });
    expect(exitCode, screen).toBe(0);
    expect(offered(screen)).toEqual(expect.arrayContaining(["Checkout"]));
    expect(service.incidents()[0]?.services).toMatchObject([{ name: "Checkout", id: serviceId }]);
    const again = await world.run("create", { answers: start });
    expect(offered(again.screen)?.filter((label) => label === "Checkout")).toHaveLength(1);
  });

  it("are those of the catalog where there is one, and the list is not read", async () => {
    const { service, world } = await prepare(payments);
    const count = service.requests.length;
    const { screen } = await world.run("create", { answers: start });
    expect(offered(screen)).toEqual(["Payments"]);
    expect(service.requests.slice(count)).toEqual([]);
  });

  it("are read with the document where no contract is saved", async () => {
    const service = await open();
    const { env, transport } = service;
    const { exitCode, screen } = await createWorld({ env, transport, terminal }).run("create", {
      answers: [...start, "Checkout", ...rest],
    });
    expect(exitCode, screen).toBe(0);
    expect(offered(screen)).toContain("Checkout");
  });

  it("are to be given, without another word, where the list cannot be read", async () => {
    const { service, world } = await prepare("");
    service.loseRequest("services", 100);
    const { exitCode, stderr } = await world.run("create", { answers: start });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("no service is known to choose from");
    expect(service.requests.filter(({ operation }) => operation === "services")).toHaveLength(1);
  });

  it("wait two seconds for the list, and no longer", async () => {
    const { service, world } = await prepare("");
    const before = world.clock.monotonic();
    let waiting = 0;
    const slow: Transport = async (request, control) => {
      if (!isForServices(request.url)) return service.transport(request, control);
      waiting += 1;
      // Time passes, and no answer comes.
      while (!control.signal?.aborted) await world.clock.sleep(100, control.signal);
      waiting -= 1;
      return { phase: "unanswered", reason: "cancelled", detail: "cancelled" };
    };
    const { exitCode } = await world.run("create", { answers: start, transport: slow });
    expect(exitCode).toBe(2);
    expect(world.clock.monotonic() - before).toBeGreaterThanOrEqual(2000);
    await new Promise(setImmediate);
    expect(waiting).toBe(0);
  });
});
