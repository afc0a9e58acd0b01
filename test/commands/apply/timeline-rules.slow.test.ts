// What an apply of a timeline does beside other people and processes, and what it never does.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { lost } from "../../delivery/services-by-hand.ts";
import { answer } from "../../harness/builders.ts";
import { answering, isUpdate } from "../../harness/changed-service.ts";
import { lifeServices, servicesInTurn, withDocument } from "../../service/life/life-services.ts";
import {
  apply,
  cause,
  looking,
  openTimeline,
  over,
  search,
  showing,
  type Text,
  textsOf,
  watching,
  yaml,
} from "./timelines.ts";

describe.each(servicesInTurn("kept"))("an apply of a timeline at %s, ids %s", (name, ids, openService) => {
  const open = () => openService({ ids });

  it("posts the second of two equal updates where another process has posted the first meanwhile", async () => {
    const service = await open();
    let moment: "before" | "refused" | "over" = "before";
    const transport: Transport = async (request, control) => {
      const isFirst = request.method === "POST" && service.incidents().length > 0 && moment === "before";
      if (isFirst) {
        moment = "refused";
        await control.beforeSend?.();
        return answer("", 429, { "retry-after": "59" });
      }
      if (request.method === "GET" && moment === "refused") {
        moment = "over";
        const shorter = await timeline.world.run("apply -f y.yaml");
        expect(shorter, shorter.stderr).toMatchObject({ exitCode: 0 });
      }
      const outcome = await service.transport(request, control);
      const isUpdate = outcome.phase === "answered" && request.method === "POST" && moment !== "before";
      return isUpdate ? { ...outcome, body: Buffer.from("{}") } : outcome;
    };
    const timeline = await openTimeline({ ...service, transport });
    const file = [looking, watching, cause, watching];
    writeFileSync(join(timeline.world.folder, "y.yaml"), yaml(file.slice(0, 3)));
    const longer = await timeline.applied(file);
    expect(longer, longer.stderr).toMatchObject({ exitCode: 0 });
    expect(timeline.texts()).toEqual(textsOf(file));
  });

  it("posts the second of two equal updates where another process posted the first after the plan read the incident", async () => {
    const service = await open();
    let moment: "declared" | "planning" | "posted" | "refused" = "declared";
    const transport: Transport = async (request, control) => {
      if (request.method === "POST" && moment === "posted") {
        moment = "refused";
        await control.beforeSend?.();
        return answer("", 429, { "retry-after": "59" });
      }
      const outcome = await service.transport(request, control);
      if (request.method === "POST" && outcome.phase === "answered")
        return { ...outcome, body: Buffer.from("{}") };
      if (moment === "planning") {
        moment = "declared";
        const shorter = await timeline.world.run("apply -f y.yaml", { transport });
        expect(shorter, shorter.stderr).toMatchObject({ exitCode: 0 });
        moment = "posted";
      }
      return outcome;
    };
    const timeline = await openTimeline(service);
    const file = [looking, watching, cause, watching];
    await timeline.applied(file.slice(0, 1));
    writeFileSync(join(timeline.world.folder, "y.yaml"), yaml(file.slice(0, 3)));
    timeline.write(file);
    moment = "planning";
    const longer = await timeline.run(apply, { transport });
    expect(longer, longer.stderr).toMatchObject({ exitCode: 0 });
    expect(timeline.texts()).toEqual(textsOf(file));
  });

  it("posts nothing to an incident that another process declared, that was resolved, and that could not be read", async () => {
    const service = await open();
    let moment: "planning" | "declared" = "planning";
    // More than the attempts of the look and of the read after it.
    let unread = 20;
    const transport: Transport = async (request, control) => {
      const isRead = request.method === "GET" && request.url.includes("/incidents/");
      if (isRead && moment === "declared" && unread > 0) {
        unread -= 1;
        return answer("", 500);
      }
      const outcome = await service.transport(request, control);
      if (isRead && moment === "planning") {
        const other = await timeline.world.run("apply -f y.yaml");
        expect(other, other.stderr).toMatchObject({ exitCode: 0 });
        await service.addUpdate(timeline.id(), { status: "RESOLVED", description: "It is over." });
        moment = "declared";
      }
      return outcome;
    };
    const timeline = await openTimeline(service);
    writeFileSync(join(timeline.world.folder, "y.yaml"), yaml([looking]));
    timeline.write([looking, cause]);
    const late = await timeline.run(apply, { transport });
    expect(late, late.stderr).toMatchObject({ exitCode: 7 });
    expect(late.stderr).toContain("was declared from here at");
    expect(timeline.texts()).toEqual([looking[1], "It is over."]);
  });

  /** The other service answers an added update without its id: an altered text proves nothing there. */
  const namesUpdates = name === "the sandbox";

  it.runIf(namesUpdates)(
    "takes the texts that the service altered in its answers for no difference",
    async () => {
      const service = await open();
      const timeline = await openTimeline(service);
      const transport: Transport = async (request, control) => {
        if (!isUpdate(request)) return service.transport(request, control);
        const { description, ...others } = JSON.parse(request.body ?? "");
        const altered = { ...others, description: description.slice(0, 9) };
        return service.transport({ ...request, body: JSON.stringify(altered) }, control);
      };
      timeline.write([looking, cause, watching]);
      const first = await timeline.run(apply, { transport });
      expect(first, first.stderr).toMatchObject({ exitCode: 0, sent: ["create", "update", "update"] });
      expect(timeline.texts()).toEqual([looking[1], "The cause", "A fix is "]);
      for (const line of [apply, "create -f x.yaml"]) {
        const again = await timeline.run(line);
        expect(again, again.stderr).toMatchObject({ exitCode: 0, sent: [] });
      }
      expect(await timeline.applied([looking, cause, watching, over])).toMatchObject({
        exitCode: 0,
        sent: ["update"],
      });
      const reworded: Text = ["MONITORING", "Another fix is in place."];
      const changed = await timeline.applied([looking, cause, reworded, over]);
      expect(changed, changed.stderr).toMatchObject({ exitCode: 11, sent: [] });
    },
  );

  it("posts no correction while one that equals an earlier update has no known outcome", async () => {
    const service = await open();
    const timeline = await openTimeline(service, [looking, cause]);
    const transport = answering(service, ({ method }) => (method === "GET" ? undefined : lost));
    timeline.write([looking, cause, cause]);
    expect(await timeline.run(apply, { transport })).toMatchObject({ exitCode: 8 });
    const corrected = await timeline.applied([looking, cause, watching]);
    expect(corrected, corrected.stderr).toMatchObject({ exitCode: 8, sent: [] });
  });

  it.runIf(namesUpdates)("posts no correction of a last text that the service has altered", async () => {
    const service = await open();
    const timeline = await openTimeline(service, [looking]);
    const transport: Transport = async (request, control) => {
      const body = isUpdate(request) ? request.body?.replace(cause[1], "The cause") : request.body;
      return service.transport({ ...request, ...(body !== undefined && { body }) }, control);
    };
    timeline.write([looking, cause]);
    expect(await timeline.run(apply, { transport })).toMatchObject({ exitCode: 0, sent: ["update"] });
    const corrected = await timeline.applied([looking, ["IDENTIFIED", "A disk is full."]]);
    expect(corrected, corrected.stderr).toMatchObject({ exitCode: 11, sent: [] });
    expect(timeline.texts()).toEqual([looking[1], "The cause"]);
  });

  it("posts nothing after a text that was corrected, until the file has what is published", async () => {
    const timeline = await openTimeline(await open(), [looking, cause]);
    const corrected: Text = ["IDENTIFIED", "The cause is a full disk of one host."];
    const run = await timeline.applied([looking, corrected, over]);
    expect(run, run.stderr).toMatchObject({ exitCode: 11, sent: [] });
    expect(run.stdout).toContain(
      `incidentUpdates[1].description: live "${cause[1]}", file "${corrected[1]}"`,
    );
    expect(run.stderr).toContain("a published text is corrected in the web application and in the file");
    for (const line of [apply, `${apply} --allow-drift`]) {
      const held = await timeline.run(line);
      expect(held, held.stderr).toMatchObject({ exitCode: 11, sent: [] });
      expect(held.stdout).toContain(`incidentUpdates[2].description: live none, file "${over[1]}"`);
      expect(held.stderr).not.toContain("--allow-drift permits");
    }
    expect(await timeline.applied([looking, cause, corrected, over])).toMatchObject({
      exitCode: 0,
      sent: ["update", "update"],
    });
  });

  it("prints the command for an update whose place a repeat of a person has taken", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    await service.addUpdate(timeline.id(), { status: looking[0], description: looking[1] });
    const run = await timeline.applied([looking, cause, looking]);
    expect(run, run.stderr).toMatchObject({ exitCode: 11, sent: [] });
    expect(run.stderr).toContain("does not show incidentUpdates[1], and shows a later update");
    const command = `update ${timeline.id()} --status IDENTIFIED --message '${cause[1]}'`;
    expect(run.stderr).toContain(`incident ${command}`);
    expect(await timeline.run(`${command} --yes`)).toMatchObject({ exitCode: 0, sent: ["update"] });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("posts what follows the second of two equal updates, and prints the command that posts that one", async () => {
    const timeline = await openTimeline(await open(), [looking, cause, watching]);
    const still: Text = ["MONITORING", "We keep watching it."];
    const run = await timeline.applied([looking, cause, cause, watching, still]);
    expect(run, run.stderr).toMatchObject({ exitCode: 11, sent: ["update"] });
    expect(timeline.texts()).toEqual(textsOf([looking, cause, watching, still]));
    expect(run.stdout).toContain(`incidentUpdates[2].description: live none, file "${cause[1]}"`);
    const command = `update ${timeline.id()} --status IDENTIFIED --message '${cause[1]}' --new`;
    expect(run.stderr).toContain(`incident ${command}\n`);
    expect(await timeline.run(`${command} --yes`)).toMatchObject({ exitCode: 0, sent: ["update"] });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("calls no update unpublished whose outcome is not known", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    service.loseRequest("update");
    expect(await timeline.applied([looking, cause, watching])).toMatchObject({ exitCode: 8 });
    const [status, description] = watching;
    await service.addUpdate(timeline.id(), { status, description });
    expect(await timeline.run()).toMatchObject({ exitCode: 8, sent: [] });
  });

  it("leaves the value alone that somebody changed, and writes it with --force", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    await service.edit(timeline.id(), { severity: "MINOR" });
    const told = await timeline.applied([looking, cause]);
    expect(told, told.stderr).toMatchObject({ exitCode: 11, sent: ["update"] });
    expect(told.stdout).toContain('severity: live "MINOR", file "MAJOR"');
    expect(told.stderr).toContain("--force writes the name, the severity and the services of the file");
    const allowed = await timeline.run(`${apply} --allow-drift`);
    expect(allowed).toMatchObject({ exitCode: 0, sent: [] });
    expect(allowed.stdout).toContain('severity: live "MINOR", file "MAJOR"');
    expect(await timeline.run(`${apply} --force`)).toMatchObject({ exitCode: 0, sent: ["edit"] });
    expect(service.incidents()[0]?.severity).toBe("MAJOR");
    await service.edit(timeline.id(), { severity: "MINOR" });
    expect(await timeline.run()).toMatchObject({ exitCode: 11, sent: [] });
  });

  it("does not take a value from before its last edit, at a service that is behind, for the value of the file", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    const edited = await timeline.applied([looking], { severity: "MINOR" });
    expect(edited).toMatchObject({ exitCode: 0, sent: ["edit"] });
    const transport = showing(service, (shown) =>
      JSON.parse(JSON.stringify(shown).replace(/"MINOR"/i, '"MAJOR"')),
    );
    timeline.write([looking]);
    const behind = await timeline.run(apply, { transport });
    expect(behind, behind.stderr).toMatchObject({ exitCode: 7, sent: [] });
    expect(behind.stderr).toContain("does not show the edit that was made from here");
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: ["edit"] });
    expect(service.incidents()[0]?.severity).toBe("MAJOR");
    await service.edit(timeline.id(), { severity: "CRITICAL" });
    timeline.world.clock.advance(5 * 60_000);
    const agreed = await timeline.applied([looking], { severity: "CRITICAL" });
    expect(agreed).toMatchObject({ exitCode: 0, sent: [] });
    await service.edit(timeline.id(), { severity: "MINOR" });
    expect(await timeline.run()).toMatchObject({ exitCode: 11, sent: [] });
  });

  it("posts nothing after a RESOLVED of somebody else without --reopen", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    await service.addUpdate(timeline.id(), { status: "RESOLVED", description: "Solved by hand." });
    const same = await timeline.run();
    expect(same).toMatchObject({ exitCode: 0, sent: [] });
    expect(same.stdout).toContain("= resolved");
    const ended = await timeline.applied([looking, cause, over]);
    expect(ended).toMatchObject({ exitCode: 0, sent: [] });
    expect(ended.stderr).toContain("is resolved already: the rest of its definition is not posted");
    expect(ended.stderr).toContain("apply with --reopen posts after it");
    const refused = await timeline.applied([looking, cause]);
    expect(refused).toMatchObject({ exitCode: 6, sent: [] });
    expect(refused.stderr).toContain("--reopen");
    const created = await timeline.run("create -f x.yaml");
    expect(created, created.stderr).toMatchObject({ exitCode: 6, sent: [] });
    expect(created.stderr).not.toContain("it is declared");
    expect(await timeline.run(`${apply} --reopen`)).toMatchObject({ exitCode: 0, sent: ["update"] });
  });

  it("tells no difference of an incident that is resolved", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking, over]);
    await service.edit(timeline.id(), { severity: "MINOR" });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });
});

describe("a service that lists its updates from the newest", () => {
  const undated = { publicIncidentUpdateDate: undefined };
  const [, open] = lifeServices[0] as (typeof lifeServices)[number];

  it.each([
    ["with their dates", (update: object) => update],
    ["with the day alone", (update: object) => ({ ...update, ...undated, created_at: "2026-11-20" })],
    ["without a date", (update: object) => ({ ...update, ...undated, created_at: undefined })],
  ])("gives a definition from the oldest, which publishes nothing, %s", async (_, shape) => {
    const { service, ...timeline } = await openTimeline(await open(), [looking, cause, over]);
    const transport = showing(service, (shown) => ({
      ...shown,
      incidentUpdates: shown.incidentUpdates.map(shape).toReversed(),
    }));
    const { stdout } = await timeline.run(`get ${timeline.id()} -o definition`, { transport });
    const places = [looking, cause, over].map(([, text]) => stdout.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    writeFileSync(join(timeline.world.folder, "got.yaml"), stdout);
    for (const line of ["apply -f got.yaml", "INCIDENT_CLI_STATE_DIR=other apply -f got.yaml"])
      expect(await timeline.run(line, { transport })).toMatchObject({ exitCode: 0, sent: [] });
  });
});

describe("without a memory", () => {
  const [, open] = lifeServices[0] as (typeof lifeServices)[number];
  const line = `INCIDENT_CLI_STATE_DIR=other ${apply}`;

  it("posts the tail, and tells a difference without writing it", async () => {
    const timeline = await openTimeline(await open(), [looking]);
    const run = await timeline.applied([looking, cause], { severity: "CRITICAL" }, line);
    expect(run).toMatchObject({ exitCode: 11, sent: ["update"] });
    expect(run.stdout).toContain('severity: live "MAJOR", file "CRITICAL"');
  });

  it("posts nothing where the service may show the corrected text of the next update", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking, cause]);
    const corrected: Text = ["IDENTIFIED", `${"It is the disk. ".repeat(12)}We replace it today.`];
    const before: Text = ["IDENTIFIED", `${"It is the disk. ".repeat(12)}We replace it tonight.`];
    await service.addUpdate(timeline.id(), { status: before[0], description: before[1] });
    const run = await timeline.applied([looking, cause, corrected, over], {}, line);
    expect(run, run.stderr).toMatchObject({ exitCode: 11, sent: [] });
    expect(run.stdout).toContain('live "…sk. We replace it tonight.", file "…sk. We replace it today."');
    expect(await timeline.applied([looking, cause, before, over], {}, line)).toMatchObject({
      exitCode: 0,
      sent: ["update"],
    });
  });

  it("does not call an update unpublished that a service with the latest updates alone does not show", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking, cause, watching]);
    const isLatest = ({ status }: { readonly status: string }) => status === "MONITORING";
    const transport = showing(service, (shown) => ({
      ...shown,
      incidentUpdates: shown.incidentUpdates.filter(isLatest),
    }));
    expect(await timeline.run(apply, { transport })).toMatchObject({ exitCode: 0, sent: [] });
    const forgotten = await timeline.run(line, { transport });
    expect(forgotten).toMatchObject({ exitCode: 11, sent: [] });
    expect(forgotten.stderr).toContain("a service that shows only the latest updates may have it");
  });

  it("does not take an incident that shows no updates for one that has them all", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    const transport = showing(service, ({ incidentUpdates: _, ...shown }) => shown);
    // Every incident has its first update.
    expect(await timeline.run(line, { transport })).toMatchObject({ exitCode: 0, sent: [] });
    timeline.write([looking, cause]);
    expect(await timeline.run(line, { transport })).toMatchObject({ exitCode: 6, sent: [] });
    expect(await timeline.run(apply, { transport })).toMatchObject({ exitCode: 0, sent: ["update"] });
  });

  it("sends nothing to another incident under the id", async () => {
    const timeline = await openTimeline(await open(), [looking]);
    const run = await timeline.applied([cause], { name: "Search is slow" }, line);
    expect(run).toMatchObject({ exitCode: 6, sent: [] });
    expect(run.stderr).toContain("exists and differs");
  });
});

it("an edit ends with 6 where the document describes none of services, and sends nothing", async () => {
  const [, open] = lifeServices[1] as (typeof lifeServices)[number];
  const service = await open();
  const transport = withDocument(service, ({ definitions }) => {
    delete definitions.EditIncident.properties.services;
    definitions.EditIncident.required = ["name", "severity"];
  });
  const timeline = await openTimeline({ ...service, transport });
  await timeline.applied([looking]);
  const run = await timeline.applied([looking, cause], { services: search });
  expect(run).toMatchObject({ exitCode: 6, sent: [] });
  expect(run.stderr).toContain("the service's document describes an edit without services");
});
