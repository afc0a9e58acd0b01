// The command of `create --dry-run -o curl` in shells: it sends the request, and runs nothing of its texts.
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { answer, incidentId as id } from "../../harness/builders.ts";
import { access, incident } from "../../harness/incident.ts";
import { isMissing } from "../../harness/programs.ts";
import { listen } from "../../http/fault-server.ts";
import { definition } from "../sample-definition.ts";

const run = promisify(execFile);

/** Serves one request on loopback and returns it. */
async function receive(command: (baseUrl: string) => Promise<unknown>) {
  const received: { url?: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ url: request.url, headers: request.headers, body });
    response.writeHead(201, { "content-type": "application/json" }).end("{}");
  });
  try {
    await command(`http://127.0.0.1:${await listen(server)}`);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  return received;
}

const shells = ["sh", ...(isMissing("fish") ? [] : ["fish"])];

describe("incident create --dry-run -o curl", () => {
  it.each([
    "it's",
    "$(touch /tmp/incident-broke-out) `id` $HOME",
    "\"; echo out; '",
    "a\\nb \\ ! !! %s %n",
    "@/etc/passwd",
    "🚨 \u202eevil \u200b",
  ])("is a command that sends the same request, with every text quoted: %j", async (name) => {
    const key = "key-with-$pecial'chars\"\\%s";
    const text = definition.replace(/^name: .*$/m, () => `name: ${JSON.stringify(name)}`);
    const received = await receive(async (baseUrl) => {
      const { stdout, exitCode } = await incident("create -f x.yaml --dry-run -o curl", {
        files: { "x.yaml": `id: ${id}\n${text}` },
        env: { INCIDENT_CLI_BASE_URL: baseUrl, INCIDENT_CLI_API_KEY: key },
        transport: async () => answer({ statusCode: 404, error: "Not Found", message: "none" }, 404),
      });
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain(key);
      expect(stdout).toMatch(/^[\n -~🚨]*$/u);
      const { NODE_OPTIONS: _, ...env } = process.env;
      const proxies = { http_proxy: "", HTTP_PROXY: "", NO_PROXY: "*", no_proxy: "*" };
      for (const shell of shells)
        await run(shell, ["-c", stdout], { env: { ...env, ...proxies, INCIDENT_CLI_API_KEY: key } });
    });
    expect(received).toHaveLength(shells.length);
    expect(received.at(-1)).toMatchObject({
      url: "/v1/status-pages/incidents",
      headers: {
        authorization: `Bearer ${key}`,
        "x-service-account": access.accountId,
        "content-type": "application/json",
      },
    });
    expect(JSON.parse(received.at(-1)?.body ?? "")).toMatchObject({ name, id });
  });
});
