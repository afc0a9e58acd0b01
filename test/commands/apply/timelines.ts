// A definition as a timeline in a file, and an apply of it at a service of its own.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transport } from "../../../src/http/transport.ts";
import { incidentId, serviceYaml } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { createWorld, type World } from "../../harness/incident.ts";
import type { LifeService } from "../../service/life/life-services.ts";

export type Text = readonly [status: string, description: string];

export const looking: Text = ["INVESTIGATING", "We are looking into it."];
export const cause: Text = ["IDENTIFIED", "The cause is a full disk."];
export const watching: Text = ["MONITORING", "A fix is in place."];
export const over: Text = ["RESOLVED", "The problem is over."];

export const search = "{ name: Search, id: 9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d }";

export const yaml = (
  texts: readonly Text[],
  { name = "Checkout fails", services = serviceYaml, severity = "MAJOR" } = {},
) =>
  `id: ${incidentId}\nname: ${name}\nseverity: ${severity}\nservices: [${services}]\nincidentUpdates:\n${texts
    .map(([status, description]) => `  - { status: ${status}, description: "${description}" }\n`)
    .join("")}`;

export const apply = "apply -f x.yaml --settle-for 1s";

/** With `texts`, its file has been applied once. */
export async function openTimeline(service: LifeService, texts: readonly Text[] = []) {
  const { env, transport } = service;
  const world = createWorld({ env, transport, files: { "x.yaml": "" } });
  const write = (texts: readonly Text[], fields = {}) =>
    writeFileSync(join(world.folder, "x.yaml"), yaml(texts, fields));
  const run = async (line = apply, more: Parameters<World["run"]>[1] = {}) => {
    const before = service.requests.length;
    const result = await world.run(line, more);
    const sent = service.requests
      .slice(before)
      .map(({ operation }) => operation)
      .filter((operation) => ["create", "edit", "update"].includes(operation));
    return { ...result, sent };
  };
  const timeline = {
    service,
    world,
    write,
    run,
    applied: async (texts: readonly Text[], fields = {}, line = apply) => {
      write(texts, fields);
      return run(line);
    },
    id: () => service.incidents()[0]?.id as string,
    /** Oldest first. */
    texts: () => (service.incidents()[0]?.incidentUpdates ?? []).map(({ description }) => description),
  };
  if (texts.length > 0) await timeline.applied(texts);
  return timeline;
}

/** The service, which shows the incident as `change` has it. */
export const showing =
  // biome-ignore lint/suspicious/noExplicitAny: a test names the parts of an incident that it changes.
  (service: LifeService, change: (shown: any) => object): Transport =>
    rewriting(service, (text, { method, url }) => {
      const isRead = method === "GET" && url.endsWith(service.incidents()[0]?.id ?? "none");
      return isRead ? JSON.stringify(change(JSON.parse(text))) : undefined;
    });

export const textsOf = (texts: readonly Text[]) => texts.map(([, description]) => description);
