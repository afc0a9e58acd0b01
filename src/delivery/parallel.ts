// Bounded concurrency.
import type { Reporter } from "../platform/context.ts";

/** Runs `work` for each item, 16 at a time. After an abort or an error, none starts; once all have finished, it throws the error. */
export async function inParallel<T>(
  items: readonly T[],
  { reporter, stop }: { readonly reporter: Pick<Reporter, "withSpinner">; readonly stop: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const left = items.values();
  let done = 0;
  const worker = async () => {
    for (const item of left) {
      if (stop.aborted || errors.length > 0) return;
      await work(item).catch((error: unknown) => errors.push(error));
      done += 1;
    }
  };
  const workers = () => Promise.all(Array.from({ length: Math.min(16, items.length) }, worker));
  await reporter.withSpinner(() => `${done} of ${items.length}`, workers);
  if (errors.length > 0) throw errors[0];
}
