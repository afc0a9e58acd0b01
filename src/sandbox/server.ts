// Puts the sandbox on a socket. It only carries bytes: what is answered, and which connection breaks how, the
// sandbox has decided.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answered } from "../http/transport.ts";
import type { Sandbox } from "./app.ts";

export interface SandboxServer {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** One byte more than the sandbox accepts is enough for it to refuse; the rest is read and forgotten. */
const mostBytes = 1024 * 1024 + 1;

/** As long as a timer can wait: how long a client stays is its own decision. */
const deadline = 2 ** 31 - 1;

async function readBody(message: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    const kept = chunk.subarray(0, mostBytes - size);
    if (kept.length > 0) chunks.push(kept);
    size += kept.length;
  }
  return Buffer.concat(chunks);
}

function headersOf(message: IncomingMessage): Record<string, string> {
  const entries = Object.entries(message.headers).map(([name, value]) => [
    name,
    [value ?? ""].flat().join(", "),
  ]);
  return Object.fromEntries(entries);
}

function answer(response: ServerResponse, { status, headers, body, bodyError }: Answered): void {
  const missing = bodyError === "truncated" ? 1 : 0;
  response.writeHead(status, { ...headers, "content-length": body.length + missing });
  // The callback comes once the bytes are handed over, so that they arrive before the connection breaks.
  if (missing) response.write(body, () => response.destroy());
  else response.end(body);
}

/** The most pieces that a slow body comes in: no more than one a byte. */
const mostPieces = 40;

/** Sends the head at once, and the body in pieces that are spread over `duration` milliseconds. */
async function answerSlowly(
  response: ServerResponse,
  { status, headers, body }: Answered,
  duration: number,
  wait: (milliseconds: number) => Promise<void>,
): Promise<void> {
  response.writeHead(status, { ...headers, "content-length": body.length });
  response.flushHeaders();
  const size = Math.ceil(body.length / mostPieces) || 1;
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    await wait((duration * size) / body.length);
    response.write(body.subarray(at, at + size));
  }
  response.end();
}

async function serve(sandbox: Sandbox, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  // An abort makes an error with a stack, and most clients leave when they have been answered.
  response.once("close", () => {
    if (!response.writableFinished) left.abort();
  });
  const request = {
    method: message.method ?? "",
    url: `http://sandbox${message.url}`,
    headers: headersOf(message),
    body: await readBody(message),
  };
  const { bodyOver, ...outcome } = await sandbox.receive(request, { deadline, signal: left.signal });
  if (outcome.phase !== "answered") response.destroy();
  else if (bodyOver === undefined) answer(response, outcome);
  else {
    const wait = (milliseconds: number) => sandbox.clock.sleep(milliseconds, left.signal);
    await answerSlowly(response, outcome, bodyOver, wait);
  }
}

/** Whoever listens everywhere is reached from this machine at its loopback address. */
const reachable: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

/** Listens on `host` and `port`; port 0 lets the system choose. Rejects when the address is taken. */
export async function serveSandbox(
  sandbox: Sandbox,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<SandboxServer> {
  const server = createServer((message, response) => {
    // A client that left while it was sending no longer sees this; to any other it says that the sandbox broke.
    serve(sandbox, message, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address() as AddressInfo;
  const name =
    reachable[address.address] ?? (address.family === "IPv6" ? `[${address.address}]` : address.address);
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
