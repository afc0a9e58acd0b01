// Counts the steps of a piece of code: how often V8 enters each block of JavaScript while it runs. Unlike a time, the
// count is the same on every machine. The built-in functions of the engine count as one step.
import { Session } from "node:inspector";

/** The number of blocks that `work` enters. */
export async function countSteps(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  const post = (method: string, options = {}) =>
    new Promise<unknown>((resolve, reject) =>
      session.post(method, options, (error, result) => (error ? reject(error) : resolve(result))),
    );
  try {
    await post("Profiler.enable");
    await post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await post("Profiler.takePreciseCoverage");
    await work();
    const { result } = (await post("Profiler.takePreciseCoverage")) as {
      result: readonly { functions: readonly { ranges: readonly { count: number }[] }[] }[];
    };
    const counts = result.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
    return counts.reduce((sum, { count }) => sum + count, 0);
  } finally {
    await post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}
