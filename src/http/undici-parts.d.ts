// Types for files of undici that are imported directly: its index would also load fetch, caches and web sockets.
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export default Client;
}

declare module "undici/lib/core/socks5-client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";
  export class Socks5Client extends EventEmitter {
    constructor(socket: Socket, login: { readonly username?: string; readonly password?: string });
    handshake(): void;
    connect(address: string, port: number): void;
  }
}

declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export default buildConnector;
}
