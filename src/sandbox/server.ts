// Serves the sandbox over HTTP. The sandbox decides every response and every broken connection; this module only carries
// them out.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import type { Answered } from "../http/transport.ts";
import type { Sandbox } from "./app.ts";

export interface SandboxServer {
  /** The base URL, without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** One byte more than the service accepts, so that it can refuse the body. The server discards the rest. */
const maxBodySize = 1024 * 1024 + 1;

/** The longest timer: only the client limits the time of a request. */
const deadline = 2 ** 31 - 1;

async function readBody(message: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(0, maxBodySize - size);
    if (part.length > 0) chunks.push(part);
    size += part.length;
  }
  return Buffer.concat(chunks);
}

function headersOf(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );
}

function respond(response: ServerResponse, { status, headers, body, bodyError }: Answered): void {
  const missing = bodyError === "truncated" ? 1 : 0;
  response.writeHead(status, { ...headers, "content-length": body.length + missing });
  // Destroys the socket only after the system has the bytes, so that the client receives them.
  if (missing) response.write(body, () => response.destroy());
  else response.end(body);
}

async function serve(sandbox: Sandbox, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = refuseForeign(message.headers);
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
  const request = {
    method: message.method ?? "",
    url: `http://sandbox${message.url}`,
    headers: headersOf(message),
    body: await readBody(message),
  };
  const outcome = await sandbox.transport(request, {
    deadline,
    signal: disconnected.signal,
  });
  if (outcome.phase === "answered") respond(response, outcome);
  else response.destroy();
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

type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Undefined for a request to this sandbox. */
export function refuseForeign(headers: RequestHeaders) {
  const given = String(headers.host ?? "");
  const name = hostnameOf(given);
  if (name === undefined || !isOwnName(name)) {
    return {
      status: 421,
      message: `this sandbox does not answer for the host "${printable(given)}"; use the URL that it printed`,
    };
  }
  if (isFromOtherSite(headers, given)) {
    return { status: 403, message: "this sandbox does not answer requests from pages of other sites" };
  }
  return undefined;
}

/** The port is not compared, because a forwarded one differs. */
function hostnameOf(host: string): string | undefined {
  if (host === "" || !URL.canParse(`http://${host}`)) return undefined;
  const { hostname, pathname, username } = new URL(`http://${host}`);
  return pathname === "/" && username === "" ? hostname.replace(/^\[|\]$/g, "") : undefined;
}

/** An attacker controls names of the DNS, but no address. */
function isOwnName(name: string): boolean {
  return isIP(name) !== 0 || name === "localhost";
}

/** A link to the status page from another site is no harm. Only browsers send these headers. */
function isFromOtherSite(headers: RequestHeaders, host: string): boolean {
  const { origin } = headers;
  if (origin !== undefined) return origin !== `http://${host}` && origin !== `https://${host}`;
  const site = headers["sec-fetch-site"];
  return (site === "cross-site" || site === "same-site") && headers["sec-fetch-mode"] !== "navigate";
}

function printable(text: string): string {
  return text.slice(0, 100).replace(/[^\x20-\x7e]/g, "?");
}
