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
    {
      fault: "accepts and never reads",
      server: { deaf: true },
      attempt: { ...big, deadline: short },
      outcome: unanswered("timeout", `no answer within ${short} ms`),
      requests: 0,
    },
    {
      fault: "reads and never answers",
      server: {},
      attempt: { deadline: short },
      outcome: unanswered("timeout"),
    },
    {
      fault: "sends its head a byte at a time",
      server: { requested: (socket) => drip(socket, head) },
      attempt: { deadline: short },
      outcome: unanswered("timeout"),
    },
    {
      fault: "resets while the request arrives",
      server: { started: (socket) => socket.resetAndDestroy() },
      attempt: big,
      outcome: unanswered("reset"),
    },
    {
      fault: "resets when it has the request",
      server: { requested: (socket) => socket.resetAndDestroy() },
      outcome: unanswered("reset"),
    },
    {
      fault: "closes when it has the request",
      server: { requested: (socket) => socket.end() },
      outcome: unanswered("reset"),
    },
    { fault: "resets within its head", server: resets(head), outcome: unanswered("reset") },
    { fault: "closes within its head", server: ends(head), outcome: unanswered("reset") },
    {
      fault: "speaks another protocol",
      server: ends("SSH-2.0-OpenSSH_9.6\r\n"),
      outcome: unanswered("garbage"),
    },
    {
      fault: "writes before it gets a request",
      server: { accepted: (socket) => socket.write("220 mail.example ESMTP\r\n") },
      outcome: unanswered("garbage"),
      requests: expect.any(Number),
    },
    {
      fault: "sends endless headers",
      server: {
        requested: (socket) => pour(socket, `x-more: ${"y".repeat(1000)}\r\n`, head),
      },
      outcome: unanswered("garbage"),
    },
    {
      fault: "switches protocols without a request for it",
      server: answers("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      outcome: unanswered("garbage"),
    },
    {
      fault: "sends two different lengths",
      server: answers(response(text, "content-length: 1", "content-length: 2")),
      outcome: unanswered("garbage"),
    },
  ]);
});
