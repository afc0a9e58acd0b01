// The question of services in an interactive create offers the services that the service lists.
import { describe, expect, it } from "vitest";
import { serviceId, terminal } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "../../service/life/life-services.ts";

const start = ["Checkout fails", "MAJOR"];
const rest = ["INVESTIGATING", "We are looking into it.", "No", "y"];
const payments = "payments: { name: Payments, id: 4f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }";

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
  });
});
