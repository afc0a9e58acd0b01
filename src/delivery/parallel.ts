// Bounded concurrency.
import type { Reporter } from "../platform/context.ts";

const concurrency = 16;

/** Runs `work` for each index below `count`. After an abort or an error, none starts; once all have finished, it throws the error. */
export async function inParallel(
  count: number,
  { reporter, stop }: { readonly reporter: Pick<Reporter, "withSpinner">; readonly stop: AbortSignal },
  work: (index: number) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < count && !stop.aborted && errors.length === 0) {
      await work(next++).catch((error: unknown) => errors.push(error));
      done += 1;
    }
  };
  const workers = () => Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
  await reporter.withSpinner(() => `${done} of ${count}`, workers);
  if (errors.length > 0) throw errors[0];
}
