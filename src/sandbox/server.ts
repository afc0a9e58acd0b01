// Serves the sandbox over HTTP. The sandbox decides every response and every broken connection.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sandbox } from "./app.ts";

export type SandboxServer = Awaited<ReturnType<typeof serveSandbox>>;

/** A page of another site reaches this machine by another name, which its owner controls. */
const ownHost = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i;

async function serve(sandbox: Sandbox, message: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!ownHost.test(message.headers.host ?? "")) {
    // The rest of the body is not read.
    response.writeHead(421, { connection: "close" }).end("use the URL that this sandbox printed\n");
    return;
  }
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
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
export async function serveSandbox(sandbox: Sandbox) {
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
    /** The base URL, without a trailing slash. */
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
