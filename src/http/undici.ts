// The real way to the network: one request that ends at its deadline, and how it ended, told by what happened to
// it. Here and in line.ts, connection.ts and tunnel.ts is all that knows undici.
import type { Socket } from "node:net";
import { createBodyStore, inflateBody } from "./body.ts";
import type { Trust } from "./connection.ts";
import type { Answered, Control, Exchange, Outcome, WireRequest } from "./exchange.ts";
import { bodyLimit, close, createLines, type Line, type Lines } from "./line.ts";
import { messageOf } from "./message.ts";

/** The longest time that a timer can wait, in milliseconds; it takes a longer one for none at all. */
const longestTimer = 2 ** 31 - 1;

/** Builds the exchange. `env` gives the proxy settings; rejects with `Failure` "usage" where they cannot be used. */
export function createExchange(
  env: Readonly<Record<string, string | undefined>>,
  trust: Trust = {},
): Exchange {
  const lines = createLines(env, trust);
  return async (request, control) => {
    const begun = Date.now();
    const left = control.reuse === undefined ? undefined : lines.take(new URL(request.url));
    if (left === undefined) return exchangeOnce(lines, undefined, request, control);
    const outcome = await exchangeOnce(lines, left, request, control);
    if (!isDoubtful(outcome, control)) return outcome;
    const deadline = Math.max(1, control.deadline - (Date.now() - begun));
    return exchangeOnce(lines, undefined, request, { ...control, deadline });
  };
}

/** Whether a line that was left could not carry the request: the service may have closed it, or be at another one. */
function isDoubtful(outcome: Outcome, { reuse }: Control): boolean {
  if (outcome.phase === "answered") return outcome.flaw === undefined && reuse?.(outcome) === "doubt";
  return outcome.reason !== "timeout" && outcome.reason !== "cancelled";
}

/** Without a `left` one it opens a line of its own, and closes it unless it may be left to another read. */
function exchangeOnce(
  lines: Lines,
  left: Line | undefined,
  request: WireRequest,
  control: Control,
): Promise<Outcome> {
  const url = new URL(request.url);
  const { beforeSend, reuse, whileWaiting } = control;
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
    const gate = beforeSend && ((socket: Socket, pass: () => void) => void clear(beforeSend, socket, pass));
    const line = left ?? lines.open(url, reuse === undefined ? "once" : "kept", gate);
    const { client, connection } = line;

    const settle = (finish: () => void, mayBeLeft = false) => {
      settled = true;
      clearTimeout(timer);
      control.signal?.removeEventListener("abort", cancel);
      if (mayBeLeft) lines.leave(url, line);
      else close(line);
      finish();
    };
    const answer = ({ status, headers }: NonNullable<typeof head>, flaw?: Answered["flaw"]) => {
      const { bytes, ...decoded } = inflateBody(body.bytes, headers["content-encoding"], {
        limit: bodyLimit,
        cut: flaw !== undefined,
      });
      const answered: Answered = {
        phase: "answered",
        status,
        headers,
        body: bytes,
        ...decoded,
        ...(flaw && { flaw }),
      };
      settle(() => resolve(answered), answered.flaw === undefined && reuse?.(answered) === "keep");
    };
    const fail = (error: unknown, ended?: "timeout" | "cancelled") => {
      if (settled) return;
      if (stage === "clearing") {
        interruption ??= () => fail(error, ended);
        return;
      }
      if (head !== undefined) return answer(head, ended ?? flawOf(error));
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
          if (head !== undefined) answer(head);
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

function flawOf(error: unknown): NonNullable<Answered["flaw"]> {
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
