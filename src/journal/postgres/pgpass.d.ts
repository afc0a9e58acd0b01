// The types that pgpass lacks.
declare module "pgpass" {
  import type { Writable } from "node:stream";

  interface Login {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
  }

  const pgpass: {
    /** Reads the variables of this process. */
    (login: Login, answer: (password: string | undefined) => void): void;
    /** Where it writes why it ignores a file, in place of stderr. */
    warnTo(stream: Writable): void;
  };
  export default pgpass;
}
