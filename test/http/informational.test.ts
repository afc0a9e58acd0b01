// Informational responses that no request asked for: the answer that follows them counts.
import { describe, expect, test } from "vitest";
import { sendAndCheck } from "./attempt.ts";
import { createIdentities, serviceHost } from "./certificates.ts";
import { answered, inBytes, response as responseBytes, text, useServers } from "./fault-row.ts";
import type { Behaviour } from "./fault-server.ts";
import { startProxy } from "./proxy-server.ts";

const start = useServers();
const response = (body: string) => responseBytes(body).toString("latin1");
const proceed = "HTTP/1.1 100 Continue\r\n\r\n";
const hints = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";

/** Sends the parts one after the other, each in a packet of its own. */
const inParts = (parts: readonly string[]): Behaviour => ({
  requested: async (socket) => {
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.end();
  },
});

const answers: readonly (readonly [string, readonly string[]])[] = [
  ["a 100", [proceed + response(text)]],
  ["a 100 in a packet of its own", [proceed, response(text)]],
  ["a 100 with headers", [`HTTP/1.1 100 Continue\r\nx-100: HTTP/1.1 100\r\n\r\n${response(text)}`]],
  ["a 100 without a reason", [`HTTP/1.1 100 \r\n\r\n${response(text)}`]],
  ["several", [proceed + hints + proceed + hints + response(text)]],
  ["a 100 in single bytes", [...proceed, response(text)]],
];

describe.each(["GET", "POST"] as const)("%s", (method) => {
  test.each(answers)("is answered after %s", async (_, parts) => {
    const server = await start(inParts(parts));
    const url = `http://127.0.0.1:${server.port}/v1`;
    expect(inBytes(await sendAndCheck({ url, method }, [server]))).toEqual(answered(200, text));
    expect(server.requests).toBe(1);
  });

  test.each(answers)("is answered through a tunnel after %s", async (_, parts) => {
    const identities = await createIdentities();
    const server = await start(inParts(parts), identities.right);
    const proxy = await startProxy({ kind: "tunnel" }, server.port);
    try {
      const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
      const url = `https://${serviceHost}/v1`;
      const outcome = await sendAndCheck({ url, method, env, ca: identities.authority.cert }, [
        server,
        proxy,
      ]);
      expect(inBytes(outcome)).toEqual(answered(200, text));
    } finally {
      await proxy.stop();
    }
  });

  test("keeps a body that looks like one", async () => {
    const server = await start(inParts([response(proceed + proceed)]));
    const url = `http://127.0.0.1:${server.port}/v1`;
    expect(inBytes(await sendAndCheck({ url, method }, [server]))).toEqual(answered(200, proceed + proceed));
  });

  test("is not answered by a 100 alone", async () => {
    const server = await start(inParts([proceed]));
    const url = `http://127.0.0.1:${server.port}/v1`;
    expect(await sendAndCheck({ url, method }, [server])).toMatchObject({ phase: "unanswered" });
  });
});
