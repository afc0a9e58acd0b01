// Machines that share a journal in git: what one declared or does not know decides what another one sends.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../../src/http/transport.ts";
import { refusal } from "../../delivery/services-by-hand.ts";
import { definitionYaml, incidentId } from "../../harness/builders.ts";
import { createWorld } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { lifeServices } from "../../service/life/life-services.ts";
import { createGitWorld, createLocalJournal, git } from "./world.ts";

describe.skipIf(isMissing("git"))("another machine with the same journal in git", () => {
  it("answers with the incident that the first has declared", async () => {
    const { world } = createGitWorld();
    const stdin = definitionYaml();
    const one = await world.run("create -f - -o id", { stdin });
    expect(one).toMatchObject({ exitCode: 0 });
    const other = "INCIDENT_CLI_STATE_DIR=elsewhere create -f - -o id";
    const again = await world.run(other, { stdin });
    expect(again).toMatchObject({ exitCode: 0, stdout: one.stdout });
    expect(again.requests.map(({ method }) => method)).toEqual(["GET"]);
    expect(again.stderr).toContain(`still open ${one.stdout.trim()}  Checkout fails`);
    // The shared journal has no answer of the service to give.
    const transport: Transport = async () => refusal(503);
    const unread = await world.run(other, { stdin, transport });
    expect(unread).toMatchObject({ exitCode: 7, stdout: "", posts: 0 });
  });

  it("ends with 8 for what may be the same create", async () => {
    const files = {
      "x.yaml": definitionYaml(),
      "id.yaml": definitionYaml({ id: incidentId }),
      "text.yaml": definitionYaml({ severity: "MINOR" }),
    };
    const { world } = createGitWorld({ files, faults: ["create#1:drop-before-commit"] });
    const first = await world.run("create -f x.yaml --settle-for 1s");
    expect(first).toMatchObject({ exitCode: 8, posts: 1 });
    for (const [file, message] of [
      ["x.yaml", "it is not known whether"],
      ["id.yaml", "it has the same content"],
      ["text.yaml", "it has the same name"],
    ] as const) {
      const again = await world.run(`INCIDENT_CLI_STATE_DIR=two create -f ${file} --settle-for 1s`);
      expect(again, file).toMatchObject({ exitCode: 8, posts: 0 });
      expect(again.stderr).toContain(message);
    }
  });

  it("nothing waits for the rate limit between a durable `sending` event and the first byte", async () => {
    const { server, world } = createGitWorld({
      files: { "x.yaml": definitionYaml() },
      sandbox: { onlySpec: false },
    });
    let sentAt = 0;
    const transport: Transport = (request, control) => {
      const isLook = request.method === "GET" && !request.url.endsWith("/openapi.json");
      if (isLook) return Promise.resolve(refusal(429, { "retry-after": "90" }));
      sentAt = world.clock.now();
      return world.sandbox.transport(request, control);
    };
    const start = world.clock.now();
    expect((await world.run("create -f x.yaml", { transport })).exitCode).toBe(0);
    expect(sentAt - start).toBeGreaterThanOrEqual(60_000);
    const [, at = ""] =
      /"type":"sending","at":"([^"]+)"/.exec(git(server, "log", "--all", "--format=%B")) ?? [];
    expect(sentAt - Date.parse(at)).toBeLessThan(1_000);
  });

  // The journal keeps no content, and does not know the shape of a service.
  it("does not raise the severity of an alert back where a person lowered it", async () => {
    const service = await lifeServices[0][1]({});
    const shared = { PATH: process.env.PATH ?? "", INCIDENT_CLI_JOURNAL: createLocalJournal().journal };
    const rule = `when: { status: firing }
dedupKey: "\${key}"
startedAt: at
variables:
  level: { values: { critical: CRITICAL, warning: MAJOR }, otherwise: MEDIUM }
---
${definitionYaml({ severity: `\${level}` })}`;
    const world = createWorld({
      transport: service.transport,
      env: { ...service.env, ...shared },
      files: { "incident-templates/rule.yaml": rule },
    });
    const send = async (level: string) => {
      const stdin = JSON.stringify({ status: "firing", key: "a", at: "06:20", level });
      const { exitCode, stdout } = await world.run("create --template rule --vars - -o json", { stdin });
      return { exitCode, ...JSON.parse(stdout) };
    };
    const { id } = await send("critical");
    expect((await world.run(`update ${id} --severity minor --yes`)).exitCode).toBe(0);
    for (const level of ["critical", "warning"])
      expect(await send(level)).toMatchObject({ exitCode: 0, how: "open", severity: "MINOR" });
    const edits = service.requests.filter(({ operation }) => operation === "edit");
    expect(edits).toHaveLength(1);
    expect(service.incidents().map(({ severity }) => severity.toUpperCase())).toEqual(["MINOR"]);
  });
});
