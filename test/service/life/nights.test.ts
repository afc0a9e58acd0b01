// A night from declare to resolve in four commands, at three services that differ: what a person reads is the same.
import { describe, expect, it } from "vitest";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { lifeServices } from "./life-services.ts";

/** The screen of a night, with the ids and the times of the service replaced by words. */
async function spend(open: (typeof lifeServices)[number][1], ids: "kept" | "replaced") {
  const service = await open({ ids });
  const { env, transport } = service;
  const incidentUpdates = "[{ status: INVESTIGATING, description: We are looking into it. }]";
  const world = createWorld({
    env,
    transport,
    files: { "x.yaml": definitionYaml({ id: incidentId, incidentUpdates }) },
  });
  const read: string[] = [];
  const run = async (line: string) => {
    const { exitCode, screen } = await world.run(line);
    const id = service.incidents()[0]?.id ?? "";
    const text = screen
      .replaceAll(id, "ID")
      .replace(/^ {2}(?:created|updated|duration) .*\n/gm, "")
      .replace(/ · .*\n/g, "\n");
    read.push(`$ incident ${line.replaceAll(id, "ID")}\n${text}[exit ${exitCode}]`);
  };
  await run("create -f x.yaml -o id");
  const id = service.incidents()[0]?.id;
  await run("list --open");
  await run(`update ${id} --status monitoring --message "A fix is live." -o id`);
  await run(`resolve ${id} --message "It is over."`);
  const posted = service.incidents()[0]?.incidentUpdates.map(({ status }) => status);
  return { read: read.join("\n"), posted, id };
}

const night = `$ incident create -f x.yaml -o id
notifies no subscribers
WARNING
declared ID  Checkout fails
ID
[exit 0]
$ incident list --open
ID  STATUS  SEVERITY  NAME
ID  ● INVESTIGATING  ▲ MAJOR  Checkout fails
[exit 0]
$ incident update ID --status monitoring --message "A fix is live." -o id
notifies no subscribers
posted MONITORING of ID  Checkout fails
ID
[exit 0]
$ incident resolve ID --message "It is over."
notifies no subscribers
posted RESOLVED of ID  Checkout fails
Checkout fails

  status    ✔ RESOLVED
  severity  ▲ MAJOR
  services  Checkout
  id        ID

  ✔ RESOLVED
    It is over.

  ○ MONITORING
    A fix is live.

  ● INVESTIGATING
    We are looking into it.
[exit 0]`;

describe.each(lifeServices)("a night at %s", (_, open) => {
  it.each(["kept", "replaced"] as const)(
    "reads the same in four commands, with ids that are %s",
    async (ids) => {
      const { id, posted, read } = await spend(open, ids);
      expect(id === incidentId).toBe(ids === "kept");
      const warning = `warning: the service assigned its own id, ID; only the journal links it to ${incidentId}\n`;
      const expected = night.replace("WARNING\n", ids === "kept" ? "" : warning);
      // The columns of a list are as wide as its values.
      expect(read.replace(/^(ID .*)$/gm, (line) => line.replace(/ {2,}/g, "  "))).toBe(expected);
      expect(posted).toEqual(["INVESTIGATING", "MONITORING", "RESOLVED"]);
    },
  );
});
