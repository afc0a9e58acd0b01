// Faulty bodies of answers, and unusual but valid ones.
import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import {
  answered,
  answers,
  big,
  ends,
  head,
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

const whole = answered(200, text);
const unknown = answered(200, text, "undecodable");
const announced = `${head}content-length: 20\r\n\r\n`;
const cut = answered(201, '{"id":', "truncated");

describe("an answer has a body error from", () => {
  testFaults([
    [
      "sends its body a byte at a time",
      { requested: (socket) => drip(socket, text.repeat(9), `${head}\r\n`) },
      answered(201, expect.any(Uint8Array), "timeout"),
      { attempt: { deadline: short } },
    ],
    ["resets within its body", resets(`${announced}{"id":`), cut],
    ["closes within its body", ends(`${announced}{"id":`), cut],
    ["closes before any of its body", ends(announced), answered(201, "", "truncated")],
    [
      "breaks its chunks off",
      ends(response('5\r\n{"id"\r\n9\r\n:', "transfer-encoding: chunked")),
      answered(200, '{"id":', "truncated"),
    ],
    [
      "stalls within its body",
      answers(response("part", "content-length: 20")),
      answered(200, "part", "timeout"),
      { attempt: { deadline: short } },
    ],
    ["sends too much", ends(response(`${text}, and more`, `content-length: ${text.length}`)), whole],
    [
      "sends a body without end",
      { requested: (socket) => pour(socket, Buffer.alloc(65_536), response("", "connection: close")) },
      answered(200, expect.any(Uint8Array), "too-large"),
      { attempt: { deadline: 20_000 } },
    ],
    [
      "sends chunks without end, of a byte each",
      {
        requested: (socket) =>
          pour(socket, "1\r\nx\r\n".repeat(10_000), response("", "transfer-encoding: chunked")),
      },
      answered(200, expect.any(Uint8Array), expect.stringMatching(/^(timeout|too-large)$/)),
      { attempt: { deadline: short } },
    ],
    [
      "sends gzip that nothing asked for",
      encoded(gzipSync(text), "gzip"),
      answered(200, new Uint8Array(gzipSync(text)), "undecodable"),
    ],
    ["names an unknown encoding", encoded(Buffer.from(text), "rot13"), unknown],
    ["names an encoding like a property of every object", encoded(Buffer.from(text), "constructor"), unknown],
  ]);
});

describe("an answer is whole from", () => {
  testFaults([
    ["names no encoding at all", encoded(Buffer.from(text), "identity"), whole],
    ["hints early", answers(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${response(text)}`), whole],
    ["answers 204", answers("HTTP/1.1 204 No Content\r\n\r\n"), answered(204, "")],
    ["answers with an empty body", answers(response("")), answered(200, "")],
    [
      "keeps the connection open",
      answers(
        response(text, "connection: keep-alive", "keep-alive: timeout=60", `content-length: ${text.length}`),
      ),
      whole,
    ],
    ["ends its body by closing", ends(response(text, "connection: close")), whole],
    [
      "refuses while the body is still on its way",
      {
        started: (socket) =>
          socket.write("HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 3\r\n\r\nbig"),
      },
      answered(413, "big"),
      { attempt: big },
    ],
  ]);
});
