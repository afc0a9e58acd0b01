// Certificates for test servers, generated in each run: a valid one and each kind of invalid one.
import { generate } from "selfsigned";

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** The names that the right certificates are for. */
export const serviceHost = "status.example";
export const proxyHost = "localhost";

const day = 24 * 60 * 60 * 1000;

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * day);
}

async function issue(
  host: string,
  options: { readonly ca?: Identity; readonly from?: number; readonly to?: number } = {},
): Promise<Identity> {
  const pems = await generate([{ name: "commonName", value: host }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: daysFromNow(options.from ?? -1),
    notAfterDate: daysFromNow(options.to ?? 1),
    ...(options.ca && { ca: options.ca }),
  });
  return { key: pems.private, cert: pems.cert };
}

/** The authority that signs all certificates but the self-signed one. Clients trust it through `ca`. */
async function createAuthority(): Promise<Identity> {
  const pems = await generate([{ name: "commonName", value: "Test authority" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key: pems.private, cert: pems.cert };
}

export async function createIdentities() {
  const authority = await createAuthority();
  return {
    authority,
    right: await issue(serviceHost, { ca: authority }),
    proxy: await issue(proxyHost, { ca: authority }),
    selfSigned: await issue(serviceHost),
    expired: await issue(serviceHost, { ca: authority, from: -30, to: -2 }),
    notYetValid: await issue(serviceHost, { ca: authority, from: 2, to: 30 }),
    wrongHost: await issue("elsewhere.example", { ca: authority }),
  };
}
