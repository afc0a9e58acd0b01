// undici's parts by their own files: its index would load fetch, caches and web sockets at every start.
declare module "undici/lib/dispatcher/client.js" {
  import { Client } from "undici";
  export default Client;
}

declare module "undici/lib/core/connect.js" {
  import { buildConnector } from "undici";
  export default buildConnector;
}
