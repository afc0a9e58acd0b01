// Sends one request on a connection of its own, destroyed at the deadline. How far the request came decides the outcome.
import { type Connection, createConnection } from "./connection.ts";
import type { Answered, Control, Outcome, Transport, WireRequest } from "./transport.ts";
import { bodyErrorOf, Client, detailOf } from "./undici.ts";

/** Largest body that is read unless a request says otherwise, in bytes. */
const defaultBodyLimit = 16 * 1024 * 1024;

/** The longest delay of a timer, in milliseconds. Node.js replaces a longer one by 1 ms. */
const longestTimer = 2 ** 31 - 1;

/** `env` gives the proxy settings. The transport rejects with `Failure` "usage" where they cannot be used. */
export function createUndiciTransport(
  env: Readonly<Record<string, string | undefined>>,
  ca?: string,
): Transport {
  return async (request, control) => {
    const connection = createConnection(new URL(request.url), env, ca);
    await control.beforeSend?.();
    return sendOnce(connection, request, control);
  };
}

function sendOnce(connection: Connection, request: WireRequest, control: Control): Promise<Outcome> {
  const url = new URL(request.url);
  const { bodyLimit = defaultBodyLimit, isOverdue } = control;
  return new Promise((resolve) => {
    let isSent = false;
    let head: { status: number; headers: Record<string, string> } | undefined;
    const body = createBodyStore();
    let settled = false;

    const client = new Client(url.origin, {
      connect: connection.connector,
      pipelining: 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: bodyLimit,
      maxHeaderSize: 16 * 1024,
    });

    const settle = (finish: () => void, isComplete = false) => {
      settled = true;
      clearTimeout(timer);
      control.signal?.removeEventListener("abort", cancel);
      connection.destroy(isSent && !isComplete);
      // The outcome is known; a failure to destroy the client does not change it.
      client.destroy().catch(() => undefined);
      finish();
    };
    const answer = ({ status, headers }: NonNullable<typeof head>, bodyError?: Answered["bodyError"]) => {
      const { "content-encoding": encoding = "" } = headers;
      const isPlain = /^\s*(?:identity\s*)?$/i.test(encoding) || body.bytes.length === 0;
      const problem = bodyError ?? (isPlain ? undefined : "undecodable");
      const answered = { phase: "answered", status, headers, body: body.bytes } as const;
      settle(() => resolve({ ...answered, ...(problem && { bodyError: problem }) }), bodyError === undefined);
    };
    const fail = (error: unknown, ended?: "timeout" | "cancelled") => {
      if (settled) return;
      if (head !== undefined) return answer(head, ended ?? bodyErrorOf(error));
      if (!isSent) return settle(() => resolve(connection.unsent(error, ended)));
      settle(() => resolve({ phase: "unanswered", reason: ended ?? "reset", detail: detailOf(error) }));
    };
    const cancel = () => fail(new Error("cancelled"), "cancelled");
    const seconds = Number((control.deadline / 1000).toPrecision(3));
    const timedOut = () => new Error(`no answer within ${seconds} s`);
    const timer = setTimeout(() => fail(timedOut(), "timeout"), Math.min(control.deadline, longestTimer));
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
          // The bytes leave now. This keeps undici, which may retry by itself, from sending the request twice.
          if (isSent) throw new Error("the request has left already");
          // A process that was stopped, or a machine that slept, since the `sending` event: no timer ran meanwhile,
          // and a person may have settled the create as not created. undici writes nothing after this throws.
          if (isOverdue?.()) {
            const overdue = timedOut();
            fail(overdue, "timeout");
            throw overdue;
          }
          isSent = true;
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

/** Joins the values of a repeated header, as HTTP allows for every header that is read here. */
function flatten(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ""].flat().join(", ")]),
  );
}

/** Copies chunks into one growing block, so that a million tiny chunks need no more memory than their bytes. */
function createBodyStore() {
  let block = new Uint8Array(0);
  let length = 0;
  return {
    add(chunk: Uint8Array): void {
      if (length + chunk.length > block.length) {
        const grown = new Uint8Array(Math.max(2 * block.length, length + chunk.length, 4096));
        grown.set(block.subarray(0, length));
        block = grown;
      }
      block.set(chunk, length);
      length += chunk.length;
    },
    get bytes(): Uint8Array {
      return block.subarray(0, length);
    },
  };
}
