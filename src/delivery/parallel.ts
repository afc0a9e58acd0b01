// Bounded concurrency that waits for all started work, also after an error or an abort.

/**
 * Runs `work` for each index below `count`, `concurrency` at a time. After an abort of `stop` or an error, no work
 * starts, and the started work finishes; then the first error is thrown.
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
