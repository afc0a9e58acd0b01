// A link between two programs that can fail in the middle of an exchange: a proxy of one TCP port.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { listen } from "../http/fault-server.ts";

type Direction = "requests" | "answers";

/** What becomes of the bytes of one direction: the connection is cut, nothing arrives and nobody says so, or it is late. */
type Fate =
  | {
      readonly does: "cuts" | "swallows";
      readonly direction: Direction;
      readonly after: number;
      readonly once?: boolean;
    }
  | { readonly does: "delays"; readonly direction: Direction; readonly milliseconds: number };

/**
 * `after`: the bytes of a connection that still pass, from the moment the link fails. `once`: the link is mended when
 * it has cut one connection, or swallowed a part of one.
 */
export type Toxin = "passes" | `${"cuts" | "swallows"} ${Direction}` | Fate;

export interface ToxicLink {
  readonly port: number;
  toxin: Toxin;
  /** The next data from the client that holds `text` arrives, and the first byte of its answer cuts the connection. */
  loseAnswerTo(text: string): void;
  close(): Promise<void>;
}

function fateOf(toxin: Toxin): Fate | undefined {
  if (toxin === "passes") return undefined;
  if (typeof toxin !== "string") return toxin;
  const [does, direction] = toxin.split(" ") as ["cuts" | "swallows", Direction];
  return { does, direction, after: 0 };
}

/** A link to a port of this machine. */
export async function openToxicLink(target: number): Promise<ToxicLink> {
  const sockets = new Set<Socket>();
  let fate: Fate | undefined;
  /** The bytes that each socket has sent since the link began to fail. */
  let sent = new WeakMap<Socket, number>();
  /** Sockets of which nothing more arrives. */
  const swallowing = new WeakSet<Socket>();
  let fatal: string | undefined;

  async function carry(chunk: Buffer, from: Socket, to: Socket, direction: Direction): Promise<void> {
    if (swallowing.has(from)) return;
    if (fate === undefined || fate.direction !== direction) return void to.write(chunk);
    if (fate.does === "delays") {
      await delay(fate.milliseconds);
      return void to.write(chunk);
    }
    const before = sent.get(from) ?? 0;
    sent.set(from, before + chunk.length);
    const passing = chunk.subarray(0, Math.max(0, fate.after - before));
    const isOver = passing.length < chunk.length;
    const isCut = isOver && fate.does === "cuts";
    if (isOver && fate.once) swallowing.add(from);
    if (isOver && fate.once) fate = undefined;
    if (isCut) to.end(passing, () => from.destroy());
    else if (passing.length > 0) to.write(passing);
  }

  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    let isDoomed = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    // Each direction keeps its order, also where some of it is late.
    let requests: Promise<void> = Promise.resolve();
    let answers: Promise<void> = Promise.resolve();
    client.on("data", (chunk) => {
      if (fatal !== undefined && chunk.includes(fatal)) {
        isDoomed = true;
        fatal = undefined;
      }
      requests = requests.then(() => carry(chunk, client, upstream, "requests"));
    });
    upstream.on("data", (chunk) => {
      if (isDoomed) client.destroy();
      else answers = answers.then(() => carry(chunk, upstream, client, "answers"));
    });
  });
  const port = await listen(server);
  let toxin: Toxin = "passes";
  return {
    port,
    get toxin() {
      return toxin;
    },
    set toxin(next) {
      toxin = next;
      fate = fateOf(next);
      sent = new WeakMap();
    },
    loseAnswerTo(text) {
      fatal = text;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
