// A link between two programs that can fail in the middle of an exchange: a proxy of one TCP port.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * `passes`: as if it were not there. `swallows requests`: nothing more arrives, and nobody says so. `cuts answers`: the
 * request arrives, and its answer cuts the connection. `swallows answers`: the request arrives, and its answer is lost.
 */
export type Toxin = "passes" | "swallows requests" | "cuts requests" | "cuts answers" | "swallows answers";

export interface ToxicLink {
  readonly port: number;
  toxin: Toxin;
  close(): Promise<void>;
}

/** A link to a port of this machine. */
export async function openToxicLink(target: number): Promise<ToxicLink> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (link.toxin === "cuts requests") client.destroy();
      else if (link.toxin !== "swallows requests") upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (link.toxin === "cuts answers") client.destroy();
      else if (link.toxin !== "swallows answers") client.write(chunk);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const link: ToxicLink = {
    port: (server.address() as AddressInfo).port,
    toxin: "passes",
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return link;
}
