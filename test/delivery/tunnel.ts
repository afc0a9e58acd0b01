// The way to a service behind a proxy: TLS in front of its port, a proxy in front of that, and the settings that
// lead a client through both.
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { Transform } from "node:stream";
import { createServer } from "node:tls";
import { createIdentities, proxyHost, serviceHost } from "../http/certificates.ts";
import { listen } from "../http/fault-server.ts";
import { startProxy } from "../http/proxy-server.ts";

export interface Tunnel {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** `port` is where the service speaks plain HTTP; `folder` gets the certificate to trust. */
export async function startTunnel(port: number, folder: string): Promise<Tunnel> {
  const identities = await createIdentities();
  const tls = createServer(identities.right, (socket) => {
    const onward = connect(port, "127.0.0.1");
    socket.pipe(asLoopback()).pipe(onward).pipe(socket);
    socket.on("error", () => onward.destroy());
    socket.on("close", () => onward.destroy());
    onward.on("error", () => socket.destroy());
    onward.on("close", () => socket.destroy());
  });
  tls.on("tlsClientError", () => undefined);
  const proxy = await startProxy({ kind: "tunnel" }, await listen(tls));
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, identities.authority.cert);
  return {
    env: {
      INCIDENT_CLI_BASE_URL: `https://${serviceHost}`,
      HTTPS_PROXY: `http://${proxyHost}:${proxy.port}`,
      NODE_EXTRA_CA_CERTS: authority,
    },
    async stop() {
      await proxy.stop();
      tls.close();
    },
  };
}

/** Rewrites the `Host` header, because the sandbox refuses requests for a name that is not its own. */
function asLoopback(): Transform {
  const host = new RegExp(`^(host: )${serviceHost}\\r$`, "im");
  return new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, Buffer.from(chunk.toString("latin1").replace(host, "$1localhost\r"), "latin1"));
    },
  });
}
