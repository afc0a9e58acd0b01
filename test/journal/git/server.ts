// A git server of git's own parts: `git http-backend` behind a small HTTP server with a login.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { listen } from "../../http/fault-server.ts";

export const login = { user: "runner", password: "s3cret-pass-0123456789" };

/** What becomes of the next push. */
type PushFault = "refuse" | "hang";

export interface GitServer {
  /** With the login, for INCIDENT_CLI_JOURNAL. */
  readonly journal: string;
  readonly url: string;
  readonly repository: string;
  /** Requests that carried a push. */
  pushes(): number;
  /** From now on without a login, which git sends only after a refusal. */
  openToAll(): void;
  failNext(...faults: (PushFault | undefined)[]): void;
  close(): Promise<void>;
}

export function createBareRepository(path: string): void {
  execFileSync("git", ["init", "-q", "--bare", path]);
  for (const setting of ["http.receivepack=true", "receive.autogc=false"])
    execFileSync("git", ["--git-dir", path, "config", ...setting.split("=")]);
}

export async function startGitServer(folder: string): Promise<GitServer> {
  const repository = join(folder, "journal.git");
  createBareRepository(repository);
  // `git http-backend` would start this program as a process of its own, which a signal does not reach.
  const backend = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
  const faults: (PushFault | undefined)[] = [];
  let pushes = 0;
  let isOpen = false;
  const server = createServer((request, response) => {
    const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}`;
    // The name of the scheme has no case.
    if (!isOpen && request.headers.authorization?.replace(/^basic /i, "Basic ") !== authorization) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    const isPush = request.method === "POST" && (request.url ?? "").endsWith("/git-receive-pack");
    const fault = isPush ? faults.shift() : undefined;
    if (isPush) pushes += 1;
    if (fault === "refuse") response.writeHead(403).end();
    else if (fault !== "hang") serve({ backend, folder }, request, response);
  });
  const path = `127.0.0.1:${await listen(server)}/journal.git`;
  return {
    journal: `git+http://${login.user}:${login.password}@${path}`,
    url: `http://${path}`,
    repository,
    pushes: () => pushes,
    openToAll() {
      isOpen = true;
    },
    failNext: (...next) => void faults.push(...next),
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function serve(
  { backend, folder }: { readonly backend: string; readonly folder: string },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const child = spawn(backend, {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REMOTE_USER: login.user,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      CONTENT_LENGTH: request.headers["content-length"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  // A backend whose request was cut reads on for ever.
  request.once("close", () => {
    if (!request.complete) child.kill("SIGKILL");
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.once("close", () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf("\r\n\r\n");
    const headers = output.subarray(0, end).toString("latin1").split("\r\n");
    for (const header of headers) {
      const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(header) ?? [];
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else if (name !== "") response.setHeader(name, value);
    }
    response.end(output.subarray(end + 4));
  });
}
