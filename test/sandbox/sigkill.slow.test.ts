// A sandbox with --data in a process of the built command, killed while it handles creates.
import { join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { program, programArgs } from "../built/program.ts";
import { temporaryFolder } from "../harness/incident.ts";
import { createBody, incidentId, incidentsPath } from "./requests.ts";

async function start(file: string) {
  const args = [...programArgs, "sandbox", "--data", file];
  const child = execa(program, args, { reject: false, stdin: "ignore" });
  let said = "";
  const settings = await new Promise<Record<string, string>>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk;
      const found = [...said.matchAll(/export INCIDENT_CLI_(\w+)=(\S+)/g)];
      if (found.length === 3) resolve(Object.fromEntries(found.map(([, name, value]) => [name, value])));
    });
    child.then(() => reject(new Error(said)));
  });
  const url = `${settings.BASE_URL}${incidentsPath}`;
  const headers = { authorization: `Bearer ${settings.API_KEY}`, "content-type": "application/json" };
  return {
    create: (body: object) => fetch(url, { method: "POST", headers, body: JSON.stringify(body) }),
    read: (id: string) => fetch(`${url}/${id}`, { headers }),
    async kill() {
      child.kill("SIGKILL");
      await child;
    },
  };
}

it("loses no incident that it answered with 201, even after repeated SIGKILLs", async () => {
  const file = join(temporaryFolder(), "incidents");
  const answered = new Map<string, string>();
  for (const enough of [1, 40, 90]) {
    const sandbox = await start(file);
    // Each of the eight senders sends creates until its connection breaks.
    const senders = Array.from({ length: 8 }, async (_, sender) => {
      for (let n = 0; ; n += 1) {
        const id = globalThis.crypto.randomUUID();
        const name = `${enough}-${sender}-${n}`;
        const reply = await sandbox.create({ ...createBody, id, name }).catch(() => undefined);
        if (reply?.status !== 201) return;
        answered.set(id, name);
        if (answered.size >= enough) await sandbox.kill();
      }
    });
    await Promise.all(senders);
    await sandbox.kill();
  }
  expect(answered.size).toBeGreaterThanOrEqual(90);
  const last = await start(file);
  for (const [id, name] of answered) {
    expect(await (await last.read(id)).json()).toMatchObject({ id, name });
  }
  await last.kill();
});

it("refuses a second sandbox on the same file until the first one is killed", async () => {
  const file = join(temporaryFolder(), "incidents");
  const first = await start(file);
  expect((await first.create({ ...createBody, id: incidentId })).status).toBe(201);
  const args = [...programArgs, "sandbox", "--data", file];
  const { exitCode, stderr } = await execa(program, args, { reject: false, stdin: "ignore" });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`incidents cannot be stored in ${file}: another sandbox is using it`);
  expect(stderr).toContain("next: stop that sandbox, or give this one another file with --data");
  await first.kill();
  const restarted = await start(file);
  expect((await restarted.read(incidentId)).status).toBe(200);
  await restarted.kill();
});
