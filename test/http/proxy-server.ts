// A proxy over real sockets that opens tunnels or has a scripted fault.
import { connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Identity } from "./certificates.ts";
import { listen } from "./fault-server.ts";

export interface ProxyServer {
  readonly port: number;
  /** The head of each CONNECT that arrived. */
  readonly heads: readonly string[];
  /** Connections that are open. */
  readonly open: number;
  /** Closes all tunnels. */
  drop(): void;
  stop(): Promise<void>;
}

export type ProxyBehaviour =
  /** Opens a tunnel to the target's port for any requested host. */
  | { readonly kind: "tunnel"; readonly login?: string }
  /** Writes this text as its answer. */
  | { readonly kind: "answer"; readonly text: string }
  /** Never answers CONNECT. */
  | { readonly kind: "swallow" }
  /** Closes when it has read CONNECT. */
  | { readonly kind: "drop" }
  /** Closes when the first bytes come through the tunnel. */
  | { readonly kind: "drop-in-tunnel" }
  /** Confirms the tunnel and forwards nothing. */
  | { readonly kind: "stall-in-tunnel" };

const established = "HTTP/1.1 200 Connection established\r\n\r\n";

export async function startProxy(
  behaviour: ProxyBehaviour,
  targetPort: number,
  identity?: Identity,
): Promise<ProxyServer> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();

  const decide = (socket: Socket, head: string) => {
    switch (behaviour.kind) {
      case "tunnel": {
        const login = /^proxy-authorization: Basic (\S+)/im.exec(head)?.[1];
        const credentials = login && Buffer.from(login, "base64").toString();
        if (credentials !== behaviour.login) {
          socket.end(
            'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\n\r\n',
          );
          return;
        }
        const onward = connect(targetPort, "127.0.0.1", () => {
          socket.write(established);
          socket.pipe(onward).pipe(socket);
        });
        onward.on("error", () => socket.destroy());
        onward.on("close", () => socket.destroy());
        socket.on("close", () => onward.destroy());
        return;
      }
      case "answer":
        socket.end(behaviour.text);
        return;
      case "swallow":
        return;
      case "drop":
        socket.destroy();
        return;
      case "drop-in-tunnel":
        socket.write(established);
        socket.once("data", () => socket.destroy());
        return;
      case "stall-in-tunnel":
        socket.write(established);
        return;
    }
  };
  const serve = (socket: Socket) => {
    let head = "";
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    const read = (chunk: Buffer) => {
      head += chunk.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", read);
      heads.push(head);
      decide(socket, head);
      // A socket without a reader does not report the end of the connection.
      if (behaviour.kind !== "tunnel") socket.resume();
    };
    socket.on("data", read);
  };
  const server: Server =
    identity === undefined
      ? createTcpServer(serve)
      : createTlsServer({ key: identity.key, cert: identity.cert }, serve);
  server.on("tlsClientError", () => undefined);
  const port = await listen(server);

  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    heads,
    get open() {
      return sockets.size;
    },
    drop,
    async stop() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
