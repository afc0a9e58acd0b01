// Collects the body of an answer and undoes its content encoding, within a size limit, so that a small compressed
// answer cannot fill the memory.
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

/** Copies chunks into one growing block, so that a million tiny chunks need no more memory than their bytes. */
export function createBodyStore() {
  let block = new Uint8Array(0);
  let length = 0;
  return {
    add(chunk: Uint8Array): void {
      if (length + chunk.length > block.length) {
        const grown = new Uint8Array(Math.max(2 * block.length, length + chunk.length, 4096));
        grown.set(block.subarray(0, length));
        block = grown;
      }
      block.set(chunk, length);
      length += chunk.length;
    },
    get bytes(): Uint8Array {
      return block.subarray(0, length);
    },
  };
}

type Decode = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number; readonly finishFlush?: number },
) => Uint8Array;

/** As calls, so that node:zlib is loaded with the first compressed body. */
const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", (...given) => gunzipSync(...given)],
  ["x-gzip", (...given) => gunzipSync(...given)],
  [
    "deflate",
    // Some servers omit the zlib header that "deflate" requires; with it, a body starts with compression method 8.
    (bytes, options) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
  ],
  ["br", (...given) => brotliDecompressSync(...given)],
]);

/**
 * Undoes `encoding`, the content-encoding header. `limit` counts decoded bytes. It decodes the readable
 * start of a `truncated` body; any other body must be complete.
 */
export function inflateBody(
  bytes: Uint8Array,
  encoding: string | undefined,
  { limit, truncated }: { readonly limit: number; readonly truncated: boolean },
): { bytes: Uint8Array; bodyError?: "too-large" | "undecodable" } {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity" || bytes.length === 0) return { bytes };
  const decode = decoders.get(name);
  if (decode === undefined) return { bytes, bodyError: "undecodable" };
  try {
    // With this flush mode, the start of a truncated body is decoded.
    const flush = name === "br" ? "BROTLI_OPERATION_FLUSH" : "Z_SYNC_FLUSH";
    const finish = truncated && { finishFlush: constants[flush] };
    return { bytes: decode(bytes, { maxOutputLength: limit, ...finish }) };
  } catch (error) {
    return {
      bytes: new Uint8Array(),
      bodyError: error instanceof RangeError ? "too-large" : "undecodable",
    };
  }
}
