// The ids of incidents and of their changes, chosen before anything is sent.
import { createHash } from "node:crypto";
import type { ServiceKey } from "../journal/events.ts";

/** The namespace of this tool's name-based ids: any fixed GUID; another one would change every id. */
const namespace = "9d1c5c1e-7c0f-4b58-8f0e-2a1d6c3b7e55";

/** A GUID of version 5 (RFC 9562) over service, account and text: the same on every machine. */
export function idForText({ baseUrl, account }: ServiceKey, text: string): string {
  const name = JSON.stringify([baseUrl, account?.toLowerCase(), text]);
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
