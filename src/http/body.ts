// Collects the body of an answer.

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
