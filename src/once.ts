// A function that does its work at the first call, and keeps the result.
export function once<T>(work: () => T): () => T {
  let made: { readonly result: T } | undefined;
  return () => {
    made ??= { result: work() };
    return made.result;
  };
}
