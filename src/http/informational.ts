// Lets undici read an answer that begins with "100 Continue". No request here asks for one, but RFC 9110 (15.2) lets a
// server or a proxy send it; undici closes the connection, and reads past every other informational response.
import type { Socket } from "node:net";

const start = "HTTP/1.";

/** The position of the last digit of the status in a status line. */
const lastDigit = "HTTP/1.1 100".length - 1;

/** Turns each 100 before the first final response into a 102, which means as little. */
export function acceptContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  /** The head that is being read: at most its status line, then its last four characters. */
  let line = "";
  let tail = "";
  let isOver = false;
  const scan = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !isOver; at += 1) {
      const character = String.fromCharCode(chunk[at] ?? 0);
      tail = (tail + character).slice(-4);
      if (line.length <= lastDigit) line += character;
      if (line.length === lastDigit + 1) {
        isOver = !line.startsWith(start) || line[lastDigit - 2] !== "1";
        if (line.endsWith(" 100")) chunk[at] = "2".charCodeAt(0);
        line += " ";
      }
      if (tail === "\r\n\r\n") line = "";
    }
  };
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (!isOver && Buffer.isBuffer(chunk)) scan(chunk);
    return chunk;
  };
}
