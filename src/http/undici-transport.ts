// The real way to the network: one request on one fresh connection that is destroyed at its deadline, and
// how it ended, told by what happened to it. Here and in connection.ts and tunnel.ts is all that knows undici.
import type { Socket } from "node:net";
import Client from "undici/lib/dispatcher/client.js";
import { createBodyStore, inflateBody } from "./body.ts";
import { type Connection, openConnection, type Trust } from "./connection.ts";
import { messageOf } from "./message.ts";
import type { Answered, Control, Outcome, Transport, WireRequest } from "./transport.ts";
// undici's parser, which undici itself would read between the marker of a create and its first byte: that it is gone,
// as with a package that is just replaced, must come out before.
import "undici/lib/llhttp/llhttp_simd-wasm.js";

/** Largest body that is read, in bytes, compressed or not. */
const bodyLimit = 16 * 1024 * 1024;

/** Largest head that is read, in bytes. */
const headerLimit = 16 * 1024;

/** The longest time that a timer can wait, in milliseconds; it takes a longer one for none at all. */
const longestTimer = 2 ** 31 - 1;

/** What undici is told when a request is settled: it would make an error, with a stack, for each. */
const over = new Error("the request is over");

/** Builds the transport. `env` gives the proxy settings; rejects with `Failure` "usage" where they cannot be used. */
export function createUndiciTransport(
  env: Readonly<Record<string, string | undefined>>,
  trust: Trust = {},
): Transport {
  return async (request, control) =>
    sendOnce(openConnection(new URL(request.url), env, trust), request, control);
}

function sendOnce(connection: Connection, request: WireRequest, control: Control): Promise<Outcome> {
  const url = new URL(request.url);
  const { beforeSend, whileWaiting } = control;
  return new Promise((resolve, reject) => {
    let stage: "opening" | "clearing" | "cleared" | "sent" = "opening";
    /** What went wrong while it was cleared for sending. */
    let interruption: (() => void) | undefined;
    let head: { status: number; headers: Record<string, string> } | undefined;
    const body = createBodyStore();
    let settled = false;

    const clear = async (ask: () => Promise<void>, socket: Socket, pass: () => void) => {
      stage = "clearing";
      try {
        await ask();
      } catch (error) {
        return settle(() => reject(error));
      }
      stage = "cleared";
      if (interruption !== undefined) interruption();
      else if (socket.destroyed) fail(new Error("the connection was closed"));
      else pass();
    };
    const client = new Client(url.origin, {
      connect: (options, callback) =>
        connection.connect(options, (...opened) => {
          const [error, socket] = opened;
          if (error !== null || beforeSend === undefined) callback(...opened);
          else clear(beforeSend, socket, () => callback(null, socket));
        }),
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: bodyLimit,
      maxHeaderSize: headerLimit,
    });

    const settle = (finish: () => void) => {
      settled = true;
      clearTimeout(timer);
      control.signal?.removeEventListener("abort", cancel);
      connection.destroy();
      // Nothing is left to say once the outcome is known; a rejected destroy changes nothing.
      client.destroy(over).catch(() => undefined);
      finish();
    };
    const answer = ({ status, headers }: NonNullable<typeof head>, bodyError?: Answered["bodyError"]) => {
      const { bytes, ...decoded } = inflateBody(body.bytes, headers["content-encoding"], {
        limit: bodyLimit,
        cut: bodyError !== undefined,
      });
      const answered = { phase: "answered", status, headers, body: bytes } as const;
      settle(() => resolve({ ...answered, ...decoded, ...(bodyError && { bodyError }) }));
    };
    const fail = (error: unknown, ended?: "timeout" | "cancelled") => {
      if (settled) return;
      if (stage === "clearing") {
        interruption ??= () => fail(error, ended);
        return;
      }
      if (head !== undefined) return answer(head, ended ?? bodyErrorOf(error));
      if (stage === "opening") return settle(() => resolve(connection.unsent(error, ended)));
      const reason = ended ?? (isGarbage(error) ? "garbage" : "reset");
      settle(() => resolve({ phase: "unanswered", reason, detail: messageOf(error) }));
    };
    const cancel = () => fail(new Error("cancelled"), "cancelled");
    const timer = setTimeout(
      () => fail(new Error(`no answer within ${control.deadline} ms`), "timeout"),
      Math.min(control.deadline, longestTimer),
    );
    if (control.signal?.aborted) return cancel();
    control.signal?.addEventListener("abort", cancel);

    client.dispatch(
      {
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...request.headers },
        body: request.body ?? null,
      },
      {
        onRequestStart() {
          // Here the bytes leave: whatever undici would like to try again, they leave once.
          if (stage === "sent") throw new Error("the request has left already");
          stage = "sent";
          if (whileWaiting !== undefined) setImmediate(whileWaiting);
        },
        onResponseStart(_controller, status, headers) {
          if (status >= 200) head = { status, headers: flatten(headers) };
        },
        onResponseData(_controller, chunk) {
          body.add(chunk);
        },
        onResponseEnd() {
          if (head !== undefined && !settled) answer(head);
        },
        onResponseError(_controller, error) {
          fail(error);
        },
      },
    );
  });
}

/** A repeated header's values are joined, as HTTP allows for all that is read here. */
function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ""].flat().join(", ")]),
  );
}

function bodyErrorOf(error: unknown): NonNullable<Answered["bodyError"]> {
  return codeOf(error) === "UND_ERR_RES_EXCEEDED_MAX_SIZE" ? "too-large" : "truncated";
}

/** Whether something came back that is no answer, rather than nothing. */
function isGarbage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    error.name === "HTTPParserError" ||
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" ||
    // These share their code with a closed connection.
    /^bad (response|upgrade)$/.test(error.message)
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
