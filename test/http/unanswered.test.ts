// Faults of a server after the request was sent, instead of an answer.
import { describe, expect } from "vitest";
import {
  answers,
  big,
  ends,
  head,
  resets,
  response,
  short,
  testFaults,
  text,
  unanswered,
} from "./fault-row.ts";
import { drip, pour } from "./fault-server.ts";

describe("a request is unanswered by", () => {
  testFaults([
    [
      "accepts and never reads",
      { deaf: true },
      unanswered("timeout", "no answer within 3 s"),
      { attempt: { ...big, deadline: 3000 }, requests: 0 },
    ],
    ["reads and never answers", {}, unanswered("timeout"), { attempt: { deadline: short } }],
    [
      "sends its head a byte at a time",
      { requested: (socket) => drip(socket, head) },
      unanswered("timeout"),
      { attempt: { deadline: short } },
    ],
    [
      "resets while the request arrives",
      { started: (socket) => socket.resetAndDestroy() },
      unanswered("reset"),
      { attempt: big },
    ],
    ["resets at the request", { requested: (socket) => socket.resetAndDestroy() }, unanswered("reset")],
    ["closes when it has the request", { requested: (socket) => socket.end() }, unanswered("reset")],
    ["resets within its head", resets(head), unanswered("reset")],
    ["closes within its head", ends(head), unanswered("reset")],
    ["speaks another protocol", ends("SSH-2.0-OpenSSH_9.6\r\n"), unanswered("reset")],
    [
      "writes before it gets a request",
      { accepted: (socket) => socket.write("220 mail.example ESMTP\r\n") },
      unanswered("reset"),
      { requests: expect.any(Number) },
    ],
    [
      "sends endless headers",
      { requested: (socket) => pour(socket, `x-more: ${"y".repeat(1000)}\r\n`, head) },
      unanswered("reset"),
    ],
    [
      "switches protocols without a request for it",
      answers("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      unanswered("reset"),
    ],
    [
      "sends two different lengths",
      answers(response(text, "content-length: 1", "content-length: 2")),
      unanswered("reset"),
    ],
  ]);
});
