// Recognizes folders on network file systems, whose answers can be lost or repeated.
import type { Files } from "../../platform/context.ts";

/** The types of file systems that Linux gives, as in statfs(2). */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "SMB"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
]);

/** The name of the network file system of an existing folder; undefined for a local one, or where no one can tell. */
export function networkFileSystem(files: Pick<Files, "statfsSync">, folder: string): string | undefined {
  // On Windows, the path of a share.
  if (/^[\\/]{2}[^\\/]/.test(folder)) return "SMB";
  try {
    // The type is a signed number on some systems.
    return networkTypes.get(files.statfsSync(folder).type >>> 0);
  } catch {
    return undefined;
  }
}
