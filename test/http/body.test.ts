// Faulty bodies of answers, and unusual but valid ones.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import {
  answered,
  answers,
  big,
  ends,
  head,
  mebibyte,
  resets,
  response,
  short,
  testFaults,
  text,
} from "./fault-row.ts";
import { type Behaviour, drip, pour } from "./fault-server.ts";

function encoded(body: Buffer, encoding: string): Behaviour {
  return ends(response(body, `content-encoding: ${encoding}`, `content-length: ${body.length}`));
}

describe("an answer has a body error from", () => {
  testFaults([
    {
      fault: "sends its body a byte at a time",
      server: { requested: (socket) => drip(socket, text.repeat(9), `${head}\r\n`) },
      attempt: { deadline: short },
      outcome: answered(201, expect.any(Uint8Array), "timeout"),
    },
    {
      fault: "resets within its body",
      server: resets(`${head}content-length: 20\r\n\r\n{"id":`),
      outcome: answered(201, '{"id":', "truncated"),
    },
    {
      fault: "closes within its body",
      server: ends(`${head}content-length: 20\r\n\r\n{"id":`),
      outcome: answered(201, '{"id":', "truncated"),
    },
    {
      fault: "closes within its body, as announced",
      server: ends(`${head}connection: close\r\ncontent-length: 20\r\n\r\n{"id":`),
      outcome: answered(201, '{"id":', "truncated"),
    },
    {
      fault: "closes before any of its body",
      server: ends(`${head}content-length: 20\r\n\r\n`),
      outcome: answered(201, "", "truncated"),
    },
    {
      fault: "breaks its chunks off",
      server: ends(response('5\r\n{"id"\r\n9\r\n:', "transfer-encoding: chunked")),
      outcome: answered(200, '{"id":', "truncated"),
    },
    {
      fault: "sends garbage for a chunk",
      server: ends(response('5\r\n{"id"\r\nxyz\r\n', "transfer-encoding: chunked")),
      outcome: answered(200, '{"id"', "truncated"),
    },
    {
      fault: "stalls within its body",
      server: answers(response("part", "content-length: 20")),
      attempt: { deadline: short },
      outcome: answered(200, "part", "timeout"),
    },
    {
      fault: "sends more than it announced",
      server: ends(response(`${text}, and more`, `content-length: ${text.length}`)),
      outcome: answered(200, text),
    },
    {
      fault: "sends a body without end",
      server: {
        requested: (socket) => pour(socket, Buffer.alloc(65_536), response("", "connection: close")),
      },
      attempt: { deadline: 20_000 },
      outcome: answered(200, expect.any(Uint8Array), "too-large"),
    },
    {
      fault: "sends chunks without end, of a byte each",
      server: {
        requested: (socket) =>
          pour(socket, "1\r\nx\r\n".repeat(10_000), response("", "transfer-encoding: chunked")),
      },
      attempt: { deadline: 1_000 },
      outcome: answered(200, expect.any(Uint8Array), expect.stringMatching(/^(timeout|too-large)$/)),
    },
    {
      fault: "sends a gzip bomb",
      server: encoded(gzipSync(Buffer.alloc(64 * mebibyte)), "gzip"),
      outcome: answered(200, "", "too-large"),
    },
    {
      fault: "sends a brotli bomb",
      server: encoded(brotliCompressSync(Buffer.alloc(64 * mebibyte)), "br"),
      outcome: answered(200, "", "too-large"),
    },
    {
      fault: "sends what is no gzip",
      server: encoded(Buffer.from(text), "gzip"),
      outcome: answered(200, "", "undecodable"),
    },
    {
      fault: "sends gzip that ends early",
      server: encoded(gzipSync(text).subarray(0, -9), "gzip"),
      outcome: answered(200, "", "undecodable"),
    },
    {
      fault: "breaks gzip off",
      server: ends(
        response(gzipSync(text).subarray(0, -8), "content-encoding: gzip", "content-length: 9999"),
      ),
      outcome: answered(200, text, "truncated"),
    },
    {
      fault: "breaks brotli off",
      server: ends(
        response(brotliCompressSync(text).subarray(0, -1), "content-encoding: br", "content-length: 9999"),
      ),
      outcome: answered(200, expect.any(Uint8Array), "truncated"),
    },
    {
      fault: "names an unknown encoding",
      server: encoded(Buffer.from(text), "rot13"),
      outcome: answered(200, text, "undecodable"),
    },
    {
      fault: "names an encoding like a property of every object",
      server: encoded(Buffer.from(text), "constructor"),
      outcome: answered(200, text, "undecodable"),
    },
  ]);
});

describe("an answer is whole from", () => {
  testFaults([
    { fault: "answers gzip", server: encoded(gzipSync(text), "gzip"), outcome: answered(200, text) },
    {
      fault: "answers gzip under its old name",
      server: encoded(gzipSync(text), "X-GZIP"),
      outcome: answered(200, text),
    },
    { fault: "answers deflate", server: encoded(deflateSync(text), "deflate"), outcome: answered(200, text) },
    {
      fault: "answers deflate without its wrapper",
      server: encoded(deflateRawSync(text), "deflate"),
      outcome: answered(200, text),
    },
    {
      fault: "answers brotli",
      server: encoded(brotliCompressSync(text), "br"),
      outcome: answered(200, text),
    },
    {
      fault: "names no encoding at all",
      server: encoded(Buffer.from(text), "identity"),
      outcome: answered(200, text),
    },
    {
      fault: "hints early, then answers",
      server: answers(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${response(text)}`),
      outcome: answered(200, text),
    },
    {
      fault: "is still processing, then answers",
      server: answers(`HTTP/1.1 102 Processing\r\n\r\n${response(text)}`),
      outcome: answered(200, text),
    },
    { fault: "answers 204", server: answers("HTTP/1.1 204 No Content\r\n\r\n"), outcome: answered(204, "") },
    { fault: "answers with an empty body", server: answers(response("")), outcome: answered(200, "") },
    {
      fault: "keeps the connection open",
      server: answers(
        response(text, "connection: keep-alive", "keep-alive: timeout=60", `content-length: ${text.length}`),
      ),
      outcome: answered(200, text),
    },
    {
      fault: "ends its body by closing",
      server: ends(response(text, "connection: close")),
      outcome: answered(200, text),
    },
    {
      fault: "refuses while the body is still on its way",
      server: {
        started: (socket) =>
          socket.write("HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 3\r\n\r\nbig"),
      },
      attempt: big,
      outcome: answered(413, "big"),
    },
    {
      fault: "answers an error page",
      server: ends("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 4\r\n\r\noops"),
      outcome: answered(502, "oops"),
    },
  ]);
});
