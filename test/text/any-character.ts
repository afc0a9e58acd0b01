// Every character but half a surrogate pair, for `fc.string({ unit })`. It is that of `unit: "binary"`, for which
// fast-check builds a table of all characters in each worker, which takes a second.
import fc from "fast-check";

export const anyCharacter = fc
  .nat(0x10f7ff)
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
