// The bytes of an answer, held within a bound: collected without waste, and with their content encoding undone,
// so that a small answer cannot fill the memory.
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";

export interface BodyStore {
  add(chunk: Uint8Array): void;
  /** All bytes so far. */
  readonly bytes: Uint8Array;
}

/** Copies into one growing block: a body of a million tiny chunks costs no more than its bytes. */
export function createBodyStore(): BodyStore {
  let block = new Uint8Array(0);
  let length = 0;
  return {
    add(chunk) {
      if (length + chunk.length > block.length) {
        const grown = new Uint8Array(Math.max(2 * block.length, length + chunk.length, 4096));
        grown.set(block.subarray(0, length));
        block = grown;
      }
      block.set(chunk, length);
      length += chunk.length;
    },
    get bytes() {
      return block.subarray(0, length);
    },
  };
}

interface Decoding {
  readonly decode: (
    bytes: Uint8Array,
    options: { maxOutputLength: number; finishFlush?: number },
  ) => Uint8Array;
  /** The flush that gives what a cut body holds instead of an error. */
  readonly cutFlush: "Z_SYNC_FLUSH" | "BROTLI_OPERATION_FLUSH";
}

// Nothing of zlib is touched before a body is encoded: few are, and it takes a while to load.
const gzip: Decoding = {
  decode: (bytes, options) => gunzipSync(bytes, options),
  cutFlush: "Z_SYNC_FLUSH",
};

const decodings: Readonly<Record<string, Decoding>> = {
  gzip,
  "x-gzip": gzip,
  deflate: {
    // Some servers leave out the wrapper that "deflate" demands; a wrapped body starts with compression method 8.
    decode: (bytes, options) =>
      ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options),
    cutFlush: "Z_SYNC_FLUSH",
  },
  br: {
    decode: (bytes, options) => brotliDecompressSync(bytes, options),
    cutFlush: "BROTLI_OPERATION_FLUSH",
  },
};

/**
 * Undoes `encoding`, the content-encoding header. `limit` counts decoded bytes. A body that is known to be
 * `cut` gives what can be read of it; one that is not must be whole.
 */
export function inflateBody(
  bytes: Uint8Array,
  encoding: string | undefined,
  { limit, cut }: { readonly limit: number; readonly cut: boolean },
): { bytes: Uint8Array; bodyError?: "too-large" | "undecodable" } {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity" || bytes.length === 0) return { bytes };
  const decoding = Object.hasOwn(decodings, name) ? decodings[name] : undefined;
  if (decoding === undefined) return { bytes, bodyError: "undecodable" };
  const { decode, cutFlush } = decoding;
  try {
    return {
      bytes: decode(bytes, { maxOutputLength: limit, ...(cut && { finishFlush: constants[cutFlush] }) }),
    };
  } catch (error) {
    return {
      bytes: new Uint8Array(),
      bodyError: error instanceof RangeError ? "too-large" : "undecodable",
    };
  }
}
