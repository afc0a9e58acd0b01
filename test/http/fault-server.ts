// A server over real sockets with a scripted behavior, however wrong, that counts connections, bytes and requests.
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Identity } from "./certificates.ts";

/** The server's reaction to each event of a connection; by default it does nothing. */
export interface Behaviour {
  /** The connection is established (over TLS: after the handshake). */
  readonly accepted?: (socket: Socket) => void;
  /** The first bytes of the connection arrived. */
  readonly started?: (socket: Socket) => void;
  /** A whole request arrived, head and body. Called for each request of a connection. */
  readonly requested?: (socket: Socket, head: string) => void;
  /** Reads nothing until the test is over. */
  readonly deaf?: boolean;
}

export interface FaultServer {
  readonly port: number;
  /** Connections so far. */
  readonly connections: number;
  /** Connections that are open. */
  readonly open: number;
  /** Bytes received so far, over TLS decrypted. */
  readonly bytes: number;
  /** Requests that began to arrive. */
  readonly requests: number;
  /** The head of each request that arrived, such as that of a CONNECT. */
  readonly heads: readonly string[];
  /** Closes all connections. */
  drop(): void;
  stop(): Promise<void>;
}

interface Visit {
  readonly socket: Socket;
  text: string;
  /** Where the incomplete request starts in `text`. */
  at: number;
}

/** Listens on a free port of 127.0.0.1; `identity` makes it speak TLS. */
export async function startServer(behaviour: Behaviour, identity?: Identity): Promise<FaultServer> {
  const visits: Visit[] = [];
  const heads: string[] = [];
  // Includes connections whose TLS handshake never completes.
  const sockets = new Set<Socket>();
  let connections = 0;

  const receive = (visit: Visit, chunk: Buffer) => {
    const isFirst = visit.text === "";
    visit.text += chunk.toString("latin1");
    if (isFirst) behaviour.started?.(visit.socket);
    const end = visit.text.indexOf("\r\n\r\n", visit.at) + 4;
    if (end < 4) return;
    const head = visit.text.slice(visit.at, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (visit.text.length < end + length) return;
    visit.at = end + length;
    heads.push(head);
    behaviour.requested?.(visit.socket, head);
  };
  const serve = (socket: Socket) => {
    const visit: Visit = { socket, text: "", at: 0 };
    visits.push(visit);
    socket.on("error", () => undefined);
    if (!behaviour.deaf) socket.on("data", (chunk: Buffer) => receive(visit, chunk));
    behaviour.accepted?.(socket);
  };
  const server: Server =
    identity === undefined
      ? createTcpServer({ noDelay: true }, serve)
      : createTlsServer({ key: identity.key, cert: identity.cert }, serve);
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);

  return {
    port,
    heads,
    get connections() {
      return connections;
    },
    get open() {
      // A deaf server notices a closed connection only when it reads.
      if (behaviour.deaf) for (const visit of visits) visit.socket.resume();
      return sockets.size;
    },
    get bytes() {
      return visits.reduce((sum, visit) => sum + visit.text.length, 0);
    },
    get requests() {
      return visits.reduce((sum, { text }) => sum + (text.match(/^(GET|POST) \//gm)?.length ?? 0), 0);
    },
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}

/** A port of 127.0.0.1 on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await startServer({});
  await server.stop();
  return server.port;
}

/** Writes `first` at once and `text` a byte at a time, until the connection closes. */
export function drip(socket: Socket, text: string, first = ""): void {
  let next = 0;
  socket.write(first);
  const timer = setInterval(() => {
    if (next < text.length) socket.write(text.charAt(next++));
  }, 20);
  socket.on("close", () => clearInterval(timer));
}

/** Writes `first` once, then `chunk` repeatedly, as fast as the client reads. */
export function pour(socket: Socket, chunk: string | Buffer, first: string | Buffer): void {
  const fill = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", fill);
  socket.write(first);
  fill();
}
