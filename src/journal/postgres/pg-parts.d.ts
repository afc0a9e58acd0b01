// Types for files of pg that are imported directly: its entry point would also load its pool and its native client.
declare module "pg/lib/client.js" {
  import type { EventEmitter } from "node:events";
  import type Connection from "pg/lib/connection.js";

  export default class Client extends EventEmitter {
    constructor(options: {
      readonly connection: Connection;
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly application_name: string;
      readonly ssl: object | false;
      /** Called when the server asks for the password. */
      readonly password: () => Promise<string>;
      /** Gives the parser of the values of a type. */
      readonly types: { getTypeParser(): (text: string) => string };
    });
    readonly connection: Connection;
    connect(): Promise<unknown>;
    query(options: {
      readonly text: string;
      readonly values: readonly unknown[];
      readonly rowMode: "array";
    }): Promise<{ readonly rows: readonly (readonly (string | null)[])[] }>;
    ref(): void;
    unref(): void;
  }
}

declare module "pg/lib/connection.js" {
  import type { EventEmitter } from "node:events";
  import type { Duplex } from "node:stream";

  export default class Connection extends EventEmitter {
    constructor(options: { readonly ssl: object | false });
    readonly stream: Duplex;
    attachListeners(stream: Pick<Duplex, "on">): void;
  }
}
