// Counts the steps of a piece of code: how often V8 enters each block of JavaScript while it runs. Unlike a time, the
// count is the same on every machine. The built-in functions of the engine count as one step.
import { Session } from "node:inspector";

/**
 * Open until `stopCounting`: V8 counts the blocks of a function only if it compiled it in the same session. So a count is
 * complete in a worker that has not run the code before.
 */
let session: Session | undefined;

/** The number of blocks that `work` enters. */
export async function countSteps(work: () => unknown): Promise<number> {
  const isFirst = session === undefined;
  const open = session ?? new Session();
  session = open;
  const post = (method: string, options = {}) =>
    new Promise<unknown>((resolve, reject) =>
      open.post(method, options, (error, result) => (error ? reject(error) : resolve(result))),
    );
  if (isFirst) {
    open.connect();
    await post("Profiler.enable");
    await post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }
  await post("Profiler.takePreciseCoverage");
  await work();
  const { result } = (await post("Profiler.takePreciseCoverage")) as {
    result: readonly { functions: readonly { ranges: readonly { count: number }[] }[] }[];
  };
  const counts = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** After the last count: all code is slower while it is counted. */
export function stopCounting(): void {
  session?.disconnect();
  session = undefined;
}
