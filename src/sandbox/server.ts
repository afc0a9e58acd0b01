// Serves the sandbox over HTTP. The sandbox decides every response and every broken connection; this module only carries
// them out.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import type { Sandbox } from "./app.ts";

export interface SandboxServer {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

async function serve(sandbox: Sandbox, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = refusalOf(message.headers);
  if (refusal !== undefined) {
    // The rest of the body is not read.
    response.writeHead(refusal.status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(`${refusal.message}\n`);
    return;
  }
  const disconnected = new AbortController();
  // Only for an unfinished response: an abort creates an error with a stack, which costs time on every request.
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort();
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)] as const);
  const request = {
    method: message.method ?? "",
    url: `http://sandbox${message.url}`,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
  // The longest timer: only the client limits the time of a request.
  const control = { deadline: 2 ** 31 - 1, signal: disconnected.signal };
  const outcome = await sandbox.transport(request, control);
  if (outcome.phase !== "answered") {
    response.destroy();
    return;
  }
  const missing = outcome.bodyError === "truncated" ? 1 : 0;
  response.writeHead(outcome.status, { ...outcome.headers, "content-length": outcome.body.length + missing });
  // Destroys the socket only after the system has the bytes, so that the client receives them.
  if (missing) response.write(outcome.body, () => response.destroy());
  else response.end(outcome.body);
}

/** Only this machine reaches the sandbox, because its key is public. */
const host = "127.0.0.1";

/** Listens on a free port. */
export async function serveSandbox(sandbox: Sandbox): Promise<SandboxServer> {
  const server = createServer((message, response) => {
    // The client may have disconnected; otherwise a 500 reports a bug of the sandbox.
    serve(sandbox, message, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port: 0 }, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Only a browser sends an origin: its own page has that of the sandbox. Undefined for a request to this sandbox. */
function refusalOf({ host: given = "", origin }: IncomingHttpHeaders) {
  const hostname = URL.canParse(`http://${given}`) ? new URL(`http://${given}`).hostname : "";
  // An attacker controls names of the DNS, but no address.
  if (hostname !== "localhost" && isIP(hostname.replace(/^\[|\]$/g, "")) === 0) {
    const name = given.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
    const message = `this sandbox does not answer for the host "${name}"; use the URL that it printed`;
    return { status: 421, message };
  }
  if (origin === undefined || [`http://${given}`, `https://${given}`].includes(origin)) return undefined;
  return { status: 403, message: "this sandbox does not answer requests from pages of other sites" };
}
