// A definition as a timeline, at three services that differ and that keep or replace ids: what an apply posts and edits.
// timeline-rules.slow.test.ts has what it never does.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { incidentId, serviceYaml } from "../../harness/builders.ts";
import { rewriting } from "../../harness/changed-service.ts";
import { servicesInTurn } from "../../service/life/life-services.ts";
import { apply, cause, looking, openTimeline, over, search, showing, watching, yaml } from "./timelines.ts";

describe.each(servicesInTurn("kept"))("an apply of a timeline at %s, ids %s", (_name, ids, openService) => {
  const open = () => openService({ ids });

  it("declares with the first update, posts the others in order, and nothing in a rerun", async () => {
    const timeline = await openTimeline(await open());
    const first = await timeline.applied([looking, cause, watching]);
    expect(first, first.stderr).toMatchObject({ exitCode: 0, sent: ["create", "update", "update"] });
    expect(timeline.texts()).toEqual([looking, cause, watching].map(([, text]) => text));
    const again = await timeline.run();
    expect(again, again.stderr).toMatchObject({ exitCode: 0, sent: [] });
    const newestFirst = await timeline.applied([over, looking, cause, watching]);
    expect(newestFirst, newestFirst.stderr).toMatchObject({ exitCode: 11, sent: [] });
    expect(newestFirst.stderr).toContain("is not posted: move it to the end of the file");
    timeline.write([looking, cause, watching, over]);
    const atOnce = await Promise.all([timeline.run(), timeline.run()]);
    expect(atOnce.map(({ stdout }) => /~|=/.exec(stdout)?.[0]).sort()).toEqual(["=", "~"]);
  });

  it("posts only what was added, and edits only what was changed, edits first", async () => {
    const timeline = await openTimeline(await open());
    await timeline.applied([looking]);
    timeline.write([looking, cause, over], { severity: "CRITICAL" });
    const plan = await timeline.run(`${apply} --dry-run`);
    expect(plan, plan.stderr).toMatchObject({ exitCode: 0, sent: [] });
    expect(plan.stdout).toContain(`~ change    ${incidentId}  Checkout fails`);
    expect(plan.stdout).toContain("2 updates to post, severity MAJOR → CRITICAL");
    expect(plan.stdout).toContain("IDENTIFIED: The cause is a full disk.");
    const run = await timeline.run();
    expect(run, run.stderr).toMatchObject({ exitCode: 0, sent: ["edit", "update", "update"] });
    expect(run.stdout).toContain("2 updates posted, severity MAJOR → CRITICAL");
    expect(timeline.texts()).toEqual([looking, cause, over].map(([, text]) => text));
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
    expect(await timeline.run("create -f x.yaml")).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("leaves a severity that a person changed again after the file had followed", async () => {
    const timeline = await openTimeline(await open(), [looking]);
    timeline.world.clock.advance(3_600_000);
    await timeline.run(`update ${timeline.id()} --severity critical`);
    timeline.write([looking], { severity: "CRITICAL" });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
    await timeline.run(`update ${timeline.id()} --severity major`);
    const { exitCode, sent, stdout } = await timeline.run();
    expect({ exitCode, sent }).toEqual({ exitCode: 11, sent: [] });
    expect(stdout).toContain('severity: live "MAJOR", file "CRITICAL"');
  });

  it("posts no RESOLVED that was left out, once the incident is reopened", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    await service.addUpdate(timeline.id(), { status: "RESOLVED", description: "Solved by hand." });
    const left = await timeline.applied([looking, over]);
    expect(left, left.stderr).toMatchObject({ exitCode: 0, sent: [] });
    await timeline.run(`update ${timeline.id()} --reopen --status investigating --message Again`);
    const refused = await timeline.run();
    expect(refused, refused.stderr).toMatchObject({ exitCode: 6, sent: [] });
    expect(refused.stderr).toContain(
      "was resolved and reopened, and its definition ends in another RESOLVED",
    );
    expect(await timeline.run(`${apply} --reopen`)).toMatchObject({ exitCode: 0, sent: ["update"] });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("is not green while an update without a known outcome is no longer in the file", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    service.loseRequest("update");
    const unknown = await timeline.applied([looking, cause]);
    expect(unknown, unknown.stderr).toMatchObject({ exitCode: 8 });
    timeline.write([looking]);
    for (const line of [apply, `${apply} --allow-drift`, `${apply} --dry-run`]) {
      const cut = await timeline.run(line);
      expect(cut, line + cut.stderr).toMatchObject({ exitCode: 8, sent: [] });
      expect(cut.stderr).toContain("its definition no longer has it");
    }
    const [, settle = ""] = /incident (journal settle \S+ --not-created --yes)/.exec(unknown.stderr) ?? [];
    await timeline.run(settle);
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("says that a file drifted whose last update was found, with a text that its incident no longer has", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    service.loseRequest("update");
    expect(await timeline.applied([looking, cause])).toMatchObject({ exitCode: 8 });
    await service.addUpdate(timeline.id(), { status: cause[0], description: cause[1] });
    const { exitCode, sent, stdout } = await timeline.applied([["INVESTIGATING", "Another text."], cause]);
    expect({ exitCode, sent }).toEqual({ exitCode: 11, sent: [] });
    expect(stdout).toContain("! drifted ");
  });

  it("refuses a file that was written for another incident, and has the text of a person's update", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    await service.addUpdate(timeline.id(), { status: over[0], description: over[1] });
    timeline.write([["INVESTIGATING", "Logins fail."], over], { name: "Login fails" });
    for (const flags of ["", " --force"]) {
      const refused = await timeline.run(apply + flags);
      expect(refused, refused.stderr).toMatchObject({ exitCode: 6, sent: [] });
      expect(refused.stderr).toContain('exists and differs: name is "Checkout fails", not "Login fails"');
    }
  });

  it("tells at once what a person changed of a resolved incident that it opens again", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking, over]);
    await service.edit(timeline.id(), { severity: "MINOR" });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
    const reopened = await timeline.applied([looking, over, watching]);
    expect(reopened, reopened.stderr).toMatchObject({ exitCode: 11, sent: ["update"] });
    expect(reopened.stdout).toContain('severity: live "MINOR", file "MAJOR"');
    expect(await timeline.run(`${apply} --force`)).toMatchObject({ exitCode: 0, sent: ["edit"] });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("tells no difference of a resolved incident where an unknown update before its end is found", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    service.loseRequest("update");
    expect(await timeline.applied([looking, cause])).toMatchObject({ exitCode: 8 });
    const [status, description] = cause;
    await service.addUpdate(timeline.id(), { status, description });
    await service.addUpdate(timeline.id(), { status: "RESOLVED", description: "Solved by hand." });
    await service.edit(timeline.id(), { severity: "MINOR" });
    const found = await timeline.run();
    expect(found, found.stderr).toMatchObject({ exitCode: 0, sent: [] });
  });

  it.each([0, 1])("refuses a notification that update %i of the file did not send", async (at) => {
    const timeline = await openTimeline(await open(), [looking, cause]);
    const asked = yaml([looking, cause]).replaceAll(/" \}/gu, (end, place: number, text: string) =>
      text.slice(0, place).split('" }').length - 1 === at ? '", notifySubscribers: true }' : end,
    );
    writeFileSync(join(timeline.world.folder, "x.yaml"), asked);
    for (const line of [apply, `${apply} --dry-run`]) {
      const run = await timeline.run(line);
      expect(run, run.stderr).toMatchObject({ exitCode: 6, sent: [] });
      expect(run.stderr).toContain("it did not notify subscribers");
    }
    // Another update that notifies does not tell what this one says.
    const more = `${asked.trimEnd()}\n  - { status: MONITORING, description: "A fix.", notifySubscribers: true }\n`;
    writeFileSync(join(timeline.world.folder, "x.yaml"), more);
    expect(await timeline.run()).toMatchObject({ exitCode: 6, sent: [] });
    const corrected = more.replace("notifySubscribers: true", "notifySubscribers: false");
    writeFileSync(join(timeline.world.folder, "x.yaml"), corrected);
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: ["update"] });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
    // A resolved incident has no difference.
    const [status, description] = over;
    await timeline.service.addUpdate(timeline.id(), { status, description });
    writeFileSync(join(timeline.world.folder, "x.yaml"), asked);
    expect(await timeline.run()).toMatchObject({ sent: [] });
    expect((await timeline.run()).stderr).not.toContain("did not notify");
  });

  it("tells an unknown update before another one that was corrected, and before a silent one", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking, cause]);
    service.loseRequest("update");
    timeline.write([looking, cause, watching]);
    expect(await timeline.run()).toMatchObject({ exitCode: 8 });
    timeline.write([looking, ["IDENTIFIED", "The cause is another."], watching]);
    for (const line of [apply, `${apply} --dry-run`])
      expect(await timeline.run(line)).toMatchObject({ exitCode: 8, sent: [] });
    const silent = yaml([looking, cause, watching]).replace('" }', '", notifySubscribers: true }');
    writeFileSync(join(timeline.world.folder, "x.yaml"), silent);
    expect(await timeline.run()).toMatchObject({ exitCode: 8, sent: [] });
  });

  it("takes the name that the service made of an edit for no difference, and the old one for one", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    const turning = (from: string, to: string) => ({
      transport: showing(service, (shown) => JSON.parse(JSON.stringify(shown).replaceAll(from, to))),
    });
    const altering = turning("is not here", "isn’t here");
    timeline.write([looking], { name: "Checkout is not here" });
    const edited = await timeline.run(apply, altering);
    expect(edited, edited.stderr).toMatchObject({ exitCode: 0, sent: ["edit"] });
    for (const line of [apply, `${apply} --force`]) {
      const again = await timeline.run(line, altering);
      expect(again, again.stderr).toMatchObject({ exitCode: 0, sent: [] });
    }
    const person = turning("is not here", "is closed");
    expect(await timeline.run(apply, person)).toMatchObject({ exitCode: 11, sent: [] });
    timeline.write([looking], { name: "Checkout is slow" });
    const ignoring = turning("is slow", "is not here");
    expect(await timeline.run(apply, ignoring)).toMatchObject({ sent: ["edit"] });
    expect(await timeline.run(apply, ignoring)).toMatchObject({ exitCode: 11, sent: [] });
  });

  it.each([
    ["open", [looking]],
    ["over", [looking, over]],
  ])(
    "changes nothing for a file that is used again, under the id of an incident that is %s",
    async (_, published) => {
      const timeline = await openTimeline(await open(), published);
      timeline.write([["INVESTIGATING", "Mail is late."]], { name: "Mail is late", severity: "CRITICAL" });
      for (const line of [apply, `${apply} --allow-drift`]) {
        const run = await timeline.run(line);
        expect(run, run.stderr).toMatchObject({ exitCode: 6, sent: [] });
        expect(run.stderr).toContain("use another id or --key if it is another incident");
        expect(run.stderr).not.toContain("--force");
      }
    },
  );

  it("changes nothing where two files have exchanged their ids, or one has the content of the other", async () => {
    const { world, ...timeline } = await openTimeline(await open(), [looking]);
    const search = yaml([looking, cause], { name: "Search fails" });
    const otherId = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
    writeFileSync(join(world.folder, "y.yaml"), search.replace(incidentId, otherId));
    expect(await timeline.run(`${apply} -f y.yaml`)).toMatchObject({ exitCode: 0 });
    writeFileSync(join(world.folder, "x.yaml"), search);
    for (const line of [apply, `${apply} -f y.yaml --yes`]) {
      const run = await timeline.run(line);
      expect(run, run.stderr).toMatchObject({ exitCode: 6, sent: [] });
      expect(run.stderr).toContain("has this content: correct the definition, or write it with --force");
      writeFileSync(join(world.folder, "y.yaml"), yaml([looking]).replace(incidentId, otherId));
    }
    const forced = await timeline.run(`${apply} --force`);
    expect(forced, forced.stderr).toMatchObject({ exitCode: 0, sent: ["edit", "update"] });
    timeline.write([looking, cause]);
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: ["edit"] });
  });

  it.each(["lower", "upper"])("changes nothing for a second file (ids in %s case)", async (answered) => {
    const service = await openService({ ids: "replaced" });
    // A read shows the id in the letter case of its address.
    const transport = rewriting(service, (text, { method, url }) =>
      text.replace(/(?<="id":")[^"]+/g, (id) => {
        if (method === "POST" && answered === "upper") return id.toUpperCase();
        return url.toLowerCase().endsWith(id.toLowerCase()) ? url.slice(-id.length) : id;
      }),
    );
    const { world, ...timeline } = await openTimeline({ ...service, transport }, [looking]);
    timeline.write([looking, over]);
    const second = yaml([looking, ["RESOLVED", "It is over."]], { severity: "CRITICAL" });
    writeFileSync(join(world.folder, "y.yaml"), second.replace(incidentId, timeline.id()));
    const run = await timeline.run(`${apply} -f y.yaml`);
    expect(run, run.stderr).toMatchObject({ exitCode: 6, sent: ["update"] });
  });

  it("edits the name that the file changed of an incident that another machine declared", async () => {
    const { world, ...timeline } = await openTimeline(await open());
    await timeline.applied([looking], {}, `INCIDENT_CLI_STATE_DIR=other ${apply}`);
    const write = (fields: object, texts = [looking]) =>
      writeFileSync(join(world.folder, "x.yaml"), yaml(texts, fields).replace(incidentId, timeline.id()));
    write({});
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
    write({ name: "Refunds fail" }, [over]);
    expect(await timeline.run()).toMatchObject({ exitCode: 6, sent: [] });
    write({ name: "Refunds fail" });
    const run = await timeline.run();
    expect(run, run.stderr).toMatchObject({ exitCode: 0, sent: ["edit"] });
  });

  it("edits nothing for a file that is used again after the end of its incident, with the same first text", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    const [status, description] = over;
    await service.addUpdate(timeline.id(), { status, description });
    for (const other of [{ name: "Mail is late" }, { severity: "CRITICAL" }]) {
      timeline.write([looking], other);
      const run = await timeline.run();
      expect(run, run.stderr).toMatchObject({ exitCode: 6, sent: [] });
      expect(run.stderr).toContain(
        "use another id if it is another incident; else add the RESOLVED that is published to the file",
      );
    }
    timeline.write([looking, over], { name: "Checkout was slow" });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: ["edit"] });
  });

  it("edits the name that the file changed where the service shows no updates", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    timeline.write([looking], { name: "Payments fail" });
    const without = showing(service, ({ incidentUpdates: _, ...shown }) => shown);
    expect(await timeline.run(apply, { transport: without })).toMatchObject({ exitCode: 0, sent: ["edit"] });
  });

  it("edits nothing for an older file, such as that of a pipeline that runs again", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    await timeline.applied([looking, cause], { name: "Checkout is slow" });
    timeline.write([looking]);
    const older = await timeline.run();
    expect(older, older.stderr).toMatchObject({ exitCode: 11, sent: [] });
    expect(older.stdout).toContain('name: live "Checkout is slow", file "Checkout fails"');
    expect(await timeline.run(`${apply} --allow-drift`)).toMatchObject({ exitCode: 11, sent: [] });
    timeline.write([looking, cause], { name: "Checkout is slow" });
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
  });

  it("keeps the name in an edit of another field where the service shows it with HTML escapes", async () => {
    const { service, ...timeline } = await openTimeline(await open());
    const name = "Checkout isn't here";
    await timeline.applied([looking], { name });
    const escaping = showing(service, (shown) => JSON.parse(JSON.stringify(shown).replaceAll("'", "&#39;")));
    timeline.write([looking], { name, severity: "CRITICAL" });
    for (const line of [apply, `update ${timeline.id()} --severity minor`]) {
      expect(await timeline.run(line, { transport: escaping })).toMatchObject({
        exitCode: 0,
        sent: ["edit"],
      });
      expect(service.incidents()[0]?.name).toBe(name);
    }
  });

  it("edits the services that the file changed, once, and tells them by their names", async () => {
    const { service, ...timeline } = await openTimeline(await open(), [looking]);
    timeline.write([looking, cause], { services: `${serviceYaml}, ${search}` });
    const plan = await timeline.run(`${apply} --dry-run`);
    expect(plan.stdout).toContain("1 update to post, services Checkout → Checkout, Search");
    service.loseAnswer("edit");
    const run = await timeline.run();
    expect(run, run.stderr).toMatchObject({ exitCode: 0, sent: ["edit", "update"] });
    expect(service.incidents()[0]?.services.map(({ name }) => name)).toEqual(["Checkout", "Search"]);
    expect(await timeline.run()).toMatchObject({ exitCode: 0, sent: [] });
    const { stdout } = await timeline.applied([looking, cause], { services: search }, `${apply} -o json`);
    expect(JSON.parse(stdout).results[0]).toMatchObject({
      result: "changed",
      edits: [{ field: "services", wanted: "Search" }],
    });
  });
});
