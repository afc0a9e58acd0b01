// One connection with undici's client on it. A create has one of its own; what reads have left can be taken up by
// the next read, which may be asked again should the service have closed it meanwhile.
import type { Socket } from "node:net";
import Client from "undici/lib/dispatcher/client.js";
import { type Connection, connectTo, type Trust } from "./connection.ts";
import type { WireRequest } from "./exchange.ts";

/** Largest body that is read, in bytes, compressed or not. */
export const bodyLimit = 16 * 1024 * 1024;

/** Largest head that is read, in bytes. */
const headerLimit = 16 * 1024;

export interface Line {
  readonly client: Client;
  readonly connection: Connection;
  /** Called when the connection stands; nothing leaves before it calls `pass`. */
  gate: (socket: Socket, pass: () => void) => void;
}

export interface Lines {
  /** A line on which nothing is under way; `isUsed` where another request went before. */
  take(url: URL, method: WireRequest["method"]): { readonly line: Line; readonly isUsed: boolean };
  /** Keeps it for the next read. */
  leave(url: URL, line: Line): void;
}

/** Throws a `Failure` for unusable proxy settings, when a line is taken. */
export function createLines(env: Readonly<Record<string, string | undefined>>, trust: Trust): Lines {
  const idle = new Map<Line, string>();
  return {
    take(url, method) {
      for (const [line, origin] of method === "GET" ? idle : []) {
        if (origin !== url.origin) continue;
        idle.delete(line);
        return { line, isUsed: true };
      }
      const line = openLine(url, connectTo(url, env, trust), method);
      if (method === "GET") line.client.once("disconnect", () => idle.delete(line) && close(line));
      return { line, isUsed: false };
    },
    leave: (url, line) => void idle.set(line, url.origin),
  };
}

/** Leaves nothing of it behind. */
export function close({ client, connection }: Line): void {
  connection.destroy();
  // Nothing is left to say; a rejected destroy changes nothing.
  client.destroy().catch(() => undefined);
}

function openLine(url: URL, connection: Connection, method: WireRequest["method"]): Line {
  const line: Line = {
    connection,
    gate: (_, pass) => pass(),
    client: new Client(url.origin, {
      connect: (options, callback) =>
        connection.connect(options, (...opened) => {
          if (opened[0] !== null) callback(...opened);
          else line.gate(opened[1], () => callback(...opened));
        }),
      // 1 keeps the connection; never is a request sent before the one before it was answered.
      pipelining: method === "GET" ? 1 : 0,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: bodyLimit,
      maxHeaderSize: headerLimit,
    }),
  };
  return line;
}
