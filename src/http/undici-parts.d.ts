// Types for files of undici that are imported directly: its index would also load fetch, caches and web sockets.
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export default Client;
}

declare module "undici/lib/llhttp/llhttp_simd-wasm.js" {}

declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export default buildConnector;
}
