// The page "Back up and restore a journal" of docs/journal.md, done by its own words with a journal of any kind.
import { expect } from "vitest";
import { definitionYaml, incidentId as id, numberedId } from "../harness/builders.ts";
import { documents } from "../harness/documents.ts";
import { createWorld } from "../harness/incident.ts";

const files = {
  "a.yaml": definitionYaml({ id }),
  "b.yaml": definitionYaml({ name: "Search is slow" }),
  "c.yaml": definitionYaml({ id: numberedId(3), name: "Exports wait" }),
  "d.yaml": definitionYaml({ id: numberedId(4), name: "Logins fail" }),
};

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly serviceId?: string;
  readonly dedupKey?: string;
  readonly events: readonly Readonly<Record<"at" | "origin" | "type", unknown>>[];
}

const byId = (one: { readonly id: string }, other: { readonly id: string }) => one.id.localeCompare(other.id);

/** The command lines of the page: those of the backup, and those of the restoration. */
function pageCommands(): readonly (readonly string[])[] {
  const [, page = ""] =
    /^## Back up and restore a journal\n(.*?)^## /ms.exec(documents.get("docs/journal.md") ?? "") ?? [];
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line) => line.replace(/^incident /, "")),
  );
}

/** Each is the location of a journal; `restored` is an empty one, or again the folder, for a new machine. */
export async function checkBackup(journal: string, restored: string): Promise<void> {
  const world = createWorld({
    files,
    env: { PATH: process.env.PATH },
    faults: ["create#3:drop-before-commit"],
  });
  const machine = (location: string, folder: string) => async (line: string) => {
    const flags = `--settle-for 1s --max-retries 0 --state-dir ${folder}`;
    return world.run(`${line} ${flags}`, { env: { INCIDENT_CLI_JOURNAL: location } });
  };
  const succeed = async (run: ReturnType<typeof machine>, line: string) => {
    const { exitCode, stderr, stdout } = await run(line);
    expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: expect.anything() });
    return stdout;
  };
  const [backup = [], restoration = []] = pageCommands();
  const [init = "", load = "", copy = "", check = ""] = restoration;
  const reruns = ["create -f a.yaml", "create -f b.yaml --dedup-key search"];

  const before = machine(journal, "one");
  await succeed(before, init);
  for (const line of reruns) await succeed(before, line);
  world.clock.advance(1000);
  expect((await before("create -f c.yaml")).exitCode).toBe(8);
  for (const line of backup) await succeed(before, line);
  /** The texts are in the folder of the machine alone. */
  const list = async (run: ReturnType<typeof machine>) =>
    (JSON.parse(await succeed(run, "journal list -o json")) as Listed[]).map(
      ({ dedupKey, events, id, serviceId, state }) => ({
        ...{ dedupKey, id, serviceId, state },
        events: events.map(({ at, origin, type }) => ({ at, origin, type })),
      }),
    );
  const listed = await list(before);
  expect(listed.map(({ state }) => state)).toEqual(["uncertain", "created", "created"]);
  // After the backup: only this machine can put it back.
  await succeed(before, "create -f d.yaml");

  const elsewhere = machine(restored, "two");
  await succeed(elsewhere, init);
  await succeed(elsewhere, load);
  expect((await list(elsewhere)).toSorted(byId)).toEqual(listed.toSorted(byId));
  const again = JSON.parse(await succeed(elsewhere, `${load} -o json`));
  expect(again).toMatchObject({ copied: 0, unchanged: 3, conflicts: [] });

  const here = machine(restored, restored === "folder" ? "two" : "one");
  if (restored !== "folder") {
    await succeed(here, copy);
    reruns.push("create -f d.yaml");
  }
  expect((await here(check)).stdout).toContain('the outcome of the create of "Exports wait"');
  const sent = world.sandbox.incidents().length;
  for (const line of reruns) await succeed(here, line);
  expect((await here("create -f c.yaml")).exitCode).toBe(8);
  expect(world.sandbox.incidents()).toHaveLength(sent);
}
