// An independent server of a document: Prism, which knows only that document and keeps no state. It shows
// whether the document alone describes the service.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { openapi } from "../../src/sandbox/openapi.ts";
import { sendOverSocket } from "../harness/socket-transport.ts";
import { createManualClock } from "../sandbox/manual-clock.ts";
import { createTestService, type TestService } from "./service.ts";

const manifest = createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json");
const prism = join(dirname(manifest), "dist/index.js");

export interface MockServerOptions {
  readonly document?: object;
  /** Answers with 500 where its own answer breaks the document. */
  readonly strict?: boolean;
}

/** Starts it with its files in `folder`; `close` ends it. Rejects with its output when it does not start. */
export async function startMockServer(
  folder: string,
  { document = openapi, strict = false }: MockServerOptions = {},
): Promise<TestService> {
  const file = join(folder, "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const options = ["--host", "127.0.0.1", "--port", "0", ...(strict ? ["--errors"] : [])];
  const child = execa(process.execPath, [prism, "mock", file, ...options], {
    reject: false,
    stdin: "ignore",
    all: true,
  });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.all?.on("data", (chunk: Buffer) => {
      said += chunk;
      const found = /Prism is listening on (http:\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.then(() => reject(new Error(`the mock server ended: ${said}`)));
  });
  const service = createTestService(sendOverSocket, url, createManualClock(), async () => {
    child.kill();
    await child;
  });
  const published = { status: 200, headers: {}, json: JSON.parse(JSON.stringify(document)) };
  return {
    ...service,
    get: async (path, changes) => (path === "/openapi.json" ? published : service.get(path, changes)),
  };
}
