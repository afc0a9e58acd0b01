// A minimal client of a language server: JSON-RPC messages over stdio, for diagnostics and completions.
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";

/** Lines and characters start at 0; characters are UTF-16 units. */
export interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

export interface EditorDiagnostic {
  readonly message: string;
  readonly range: { readonly start: EditorPosition };
}

export interface LanguageServer {
  /** The diagnostics of the text. */
  check(uri: string, text: string): Promise<readonly EditorDiagnostic[]>;
  /** The texts that can be inserted at a position of the text. */
  complete(uri: string, text: string, position: EditorPosition): Promise<readonly string[]>;
  stop(): Promise<void>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string; readonly diagnostics?: readonly EditorDiagnostic[] };
  readonly result?: unknown;
}

/** Starts `yaml-language-server` with its `yaml` settings. It makes no requests. */
export async function startYamlServer(settings: object): Promise<LanguageServer> {
  const require = createRequire(import.meta.url);
  const server = spawn(process.execPath, [
    require.resolve("yaml-language-server/bin/yaml-language-server"),
    "--stdio",
  ]);
  const waiting = new Map<string, (message: Message) => void>();
  const send = (message: object) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    server.stdin.write(body);
  };
  const next = (key: string) => new Promise<Message>((resolve) => waiting.set(key, resolve));
  readMessages(server, (message) => {
    if (message.method === "workspace/configuration") {
      send({ id: message.id, result: [settings, {}, {}, {}, {}] });
    } else if (message.method !== undefined && message.id !== undefined) {
      send({ id: message.id, result: null });
    } else {
      const key =
        message.method === undefined ? `answer ${message.id}` : `${message.method} ${message.params?.uri}`;
      waiting.get(key)?.(message);
    }
  });

  const started = next("answer 1");
  send({
    id: 1,
    method: "initialize",
    params: { processId: null, rootUri: null, capabilities: { workspace: { configuration: true } } },
  });
  await started;
  send({ method: "initialized", params: {} });

  let id = 1;
  const check: LanguageServer["check"] = async (uri, text) => {
    const published = next(`textDocument/publishDiagnostics ${uri}`);
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    send({ method: "textDocument/didOpen", params: { textDocument } });
    return (await published).params?.diagnostics ?? [];
  };
  return {
    check,
    async complete(uri, text, position) {
      await check(uri, text);
      id += 1;
      const answered = next(`answer ${id}`);
      send({ id, method: "textDocument/completion", params: { textDocument: { uri }, position } });
      const { items } = (await answered).result as { items: readonly { insertText: string }[] };
      return items.map(({ insertText }) => insertText);
    },
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill();
      await ended;
    },
  };
}

function readMessages(server: ChildProcess, take: (message: Message) => void): void {
  let unread = Buffer.alloc(0);
  server.stdout?.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const head = unread.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(unread.toString("latin1", 0, head))?.[1]);
      if (head === -1 || unread.length < head + 4 + length) return;
      take(JSON.parse(unread.toString("utf8", head + 4, head + 4 + length)));
      unread = unread.subarray(head + 4 + length);
    }
  });
}
