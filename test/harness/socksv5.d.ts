// Types for the parts of the SOCKS server that the tests use.
declare module "@mongodb-js/socksv5" {
  import type { Server } from "node:net";

  interface Destination {
    dstAddr: string;
    dstPort: number;
  }
  type Auth = { readonly METHOD: number };
  const socks: {
    createServer(listener: (info: Destination, accept: () => void, deny: () => void) => void): {
      readonly _srv: Server;
      useAuth(auth: Auth): void;
    };
    readonly auth: {
      None(): Auth;
      UserPassword(check: (user: string, password: string, done: (isRight: boolean) => void) => void): Auth;
    };
  };
  export default socks;
}
