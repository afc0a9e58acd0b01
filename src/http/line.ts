// One connection with undici's client on it, and those that wait for another read.
import type { Socket } from "node:net";
import Client from "undici/lib/dispatcher/client.js";
import { type Connection, connectTo, type Trust } from "./connection.ts";

/** Largest body that is read, in bytes, compressed or not. */
export const bodyLimit = 16 * 1024 * 1024;

/** Largest head that is read, in bytes. */
const headerLimit = 16 * 1024;

export interface Line {
  readonly client: Client;
  readonly connection: Connection;
}

/** Called when the connection stands; nothing leaves before it calls `pass`. */
export type Gate = (socket: Socket, pass: () => void) => void;

export interface Lines {
  /** A line of its own. Throws a `Failure` for unusable proxy settings. */
  open(url: URL, use: "once" | "kept", gate?: Gate): Line;
  /** One that was left, and on which nothing is under way; undefined where there is none. */
  take(url: URL): Line | undefined;
  leave(url: URL, line: Line): void;
}

export function createLines(env: Readonly<Record<string, string | undefined>>, trust: Trust): Lines {
  const idle = new Map<Line, string>();
  return {
    open(url, use, gate = (_, pass) => pass()) {
      const connection = connectTo(url, env, trust);
      const client = new Client(url.origin, {
        connect: (options, callback) =>
          connection.connect(options, (...opened) => {
            if (opened[0] !== null) callback(...opened);
            else gate(opened[1], () => callback(...opened));
          }),
        // 1 asks the service to keep it; no request is sent before the one before it was answered.
        pipelining: use === "kept" ? 1 : 0,
        headersTimeout: 0,
        bodyTimeout: 0,
        maxResponseSize: bodyLimit,
        maxHeaderSize: headerLimit,
      });
      const line = { client, connection };
      if (use === "kept") client.once("disconnect", () => idle.delete(line) && close(line));
      return line;
    },
    take(url) {
      for (const [line, origin] of idle) {
        if (origin !== url.origin) continue;
        idle.delete(line);
        return line;
      }
      return undefined;
    },
    leave: (url, line) => void idle.set(line, url.origin),
  };
}

/** What undici is told of every line that is closed: it would make an error, with a stack, for each. */
const over = new Error("the request is over");

/** Leaves nothing of it behind. */
export function close({ client, connection }: Line): void {
  connection.destroy();
  // Nothing is left to say; a rejected destroy changes nothing.
  client.destroy(over).catch(() => undefined);
}
