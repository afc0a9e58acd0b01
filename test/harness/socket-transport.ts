// A plain transport over a socket, one connection for each request, for tests of a server's raw answers.
import { request as openRequest } from "node:http";
import type { Control, Outcome } from "../../src/http/transport.ts";
import type { ReceivedRequest } from "../../src/sandbox/route.ts";

/** A `Transport` that also accepts any method and a body of bytes. */
export function sendOverSocket(request: ReceivedRequest, control: Control): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { method, body = "" } = request;
    // Node.js omits the length for methods that usually have no body.
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
