// Which hosts are this machine: plain http: is allowed to them alone, and they are never proxied.

/** `hostname` as a URL has it: lower case, an IPv6 address in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
