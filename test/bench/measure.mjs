// Time of processes: medians of interleaved runs, so that other load affects all cases alike, and ratios to
// the Node that they run on.
import { spawnSync } from "node:child_process";

/**
 * Runs each case `runs` times in turn. A case is `{ command: [file, ...arguments], env?, cwd?, before? }`, of which
 * `before` is not measured; the first case is the reference. Returns `{ ms, ratio }` by name.
 */
export function measure(cases, { runs, env }) {
  const times = new Map(Object.keys(cases).map((name) => [name, []]));
  // The first three runs fill the caches: the second writes the code, and the third is the first to use it.
  for (let run = -3; run < runs; run += 1) {
    for (const [name, one] of Object.entries(cases)) {
      one.before?.();
      const start = performance.now();
      runOnce(name, one, env);
      if (run >= 0) times.get(name).push(performance.now() - start);
    }
  }
  const base = median([...times.values()][0]);
  const entries = Object.keys(cases).map((name) => {
    const ms = median(times.get(name));
    return [name, { ms, ratio: ms / base }];
  });
  return Object.fromEntries(entries);
}

function runOnce(name, { command: [file, ...args], cwd, env: own }, env) {
  const { status, stderr } = spawnSync(file, args, {
    cwd,
    env: { ...env, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
