// A proxy over real sockets: a server that opens tunnels.
import { connect } from "node:net";
import type { Behaviour } from "./fault-server.ts";

export const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Opens a tunnel to this port for any requested host. */
export const tunnelTo = (port: number, login?: string): Behaviour => ({
  requested(socket, head) {
    const given = /^proxy-authorization: Basic (\S+)/im.exec(head)?.[1];
    if ((given && Buffer.from(given, "base64").toString()) !== login) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\n\r\n');
      return;
    }
    // From now on, the bytes are not for the proxy.
    socket.removeAllListeners("data");
    const onward = connect(port, "127.0.0.1", () => {
      socket.write(established);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    onward.on("close", () => socket.destroy());
    socket.on("close", () => onward.destroy());
  },
});
