// A plain way to a service over a socket, one connection a request, for tests that look at what a server really
// sends. It decides nothing but how a request ended.
import { request as openRequest } from "node:http";
import type { Control, Outcome } from "../../src/http/transport.ts";
import type { ReceivedRequest } from "../../src/sandbox/route.ts";

/** Like an Transport, and takes any method and a body of bytes. */
export function exchangeOverSocket(request: ReceivedRequest, control: Control): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { method, body = "" } = request;
    // Node leaves the length out for methods that seldom have a body.
    const headers = { ...request.headers, "content-length": Buffer.byteLength(body) };
    const outgoing = openRequest(request.url, { method, headers, agent: false });
    const end = (reason: "timeout" | "cancelled") => {
      resolve({ phase: "unanswered", reason, detail: "gave up" });
      outgoing.destroy();
    };
    const timer = setTimeout(() => end("timeout"), control.deadline);
    outgoing.once("close", () => clearTimeout(timer));
    control.signal?.addEventListener("abort", () => end("cancelled"), { once: true });
    outgoing.once("error", (error) =>
      resolve({ phase: "unanswered", reason: "reset", detail: error.message }),
    );
    outgoing.once("response", (response) => {
      const chunks: Uint8Array[] = [];
      const finish = (bodyError?: "truncated") =>
        resolve({
          phase: "answered",
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
          ),
          body: Buffer.concat(chunks),
          ...(bodyError && { bodyError }),
        });
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.once("end", () => finish());
      response.once("error", () => finish("truncated"));
    });
    Promise.resolve(control.beforeSend?.()).then(() => outgoing.end(body), reject);
  });
}
