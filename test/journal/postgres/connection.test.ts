// Answers that the parser of pg cannot read.
import { expect, it } from "vitest";
import { openPostgresSequences } from "../../harness/postgres.ts";
import { useServers } from "../../http/fault-row.ts";

const start = useServers();

it("ends the connection, and not the process, after a message that nobody can read", async () => {
  // A request to authenticate in a way that does not exist.
  const message = Buffer.from("R\0\0\0\x08\0\0\0\x63", "latin1");
  const { port } = await start({ started: (socket) => socket.write(message) });
  const { close, sequences } = openPostgresSequences(`postgres://ann@127.0.0.1:${port}/ops`);
  await expect(sequences.open("a").read(0)).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.stringContaining("Unknown authenticationOk message type 99"),
  });
  close();
});
