// Says which certificates a server showed, so that a person who reads why one was refused knows which to mend.
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";

/** How many certificates of a chain are named: its end is what matters. */
const shownLength = 4;

/**
 * Names the server's certificate and those that vouch for it, each with its validity: where one has expired it
 * need not be the first. To be called while the handshake's handle is open; empty when there was no certificate.
 */
export function describeCertificates(socket: TLSSocket): string {
  const described: string[] = [];
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (certificate?.subject !== undefined && described.length < shownLength) {
    const { subject, issuer, subjectaltname, valid_from, valid_to } = certificate;
    const name = subject.CN ?? subject.O ?? subjectaltname ?? "no name";
    const by = issuer.CN ?? issuer.O ?? "no name";
    described.push(`certificate of "${name}", issued by "${by}", valid from ${valid_from} to ${valid_to}`);
    // The end of a chain is its own issuer.
    const next: DetailedPeerCertificate | undefined = certificate.issuerCertificate;
    certificate = next === certificate ? undefined : next;
  }
  return described.join("; ");
}
