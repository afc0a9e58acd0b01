// Several pieces of work at a time, none of which goes on unseen when another breaks or a person stops them.

/**
 * Does `work` for each index below `count`, `concurrency` at a time. When `stop` is aborted or one breaks, what is
 * under way finishes and nothing more begins; only then is the first error thrown.
 */
export async function inParallel(
  options: { readonly concurrency: number; readonly stop: AbortSignal; readonly count: number },
  work: (index: number) => Promise<void>,
): Promise<void> {
  const { concurrency, count, stop } = options;
  const errors: unknown[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count && !stop.aborted && errors.length === 0) {
      await work(next++).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
  if (errors.length > 0) throw errors[0];
}
