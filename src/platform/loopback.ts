// Recognizes this machine's own host names. Only they may use http:, and they are never proxied.

/** `hostname` is in a URL's form: lower case, an IPv6 address in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
