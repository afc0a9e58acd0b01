// A worker as its parent sees it: one order at a time, an end to what hangs, and a new process after a crash.
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Order, Report } from "./worker.ts";

export type Answer = Report | { readonly is: "hung"; readonly unit: string } | { readonly is: "crashed" };

export class WorkerProcess {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #orders = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `mutant`: is active from the start of a process of its own. */
  async order(order: Order, mutant?: number): Promise<Answer> {
    this.#orders += 1;
    // What the tests leave behind adds up.
    if (mutant !== undefined || this.#orders % 200 === 0) this.stop();
    const child = this.#child ?? this.#start(mutant);
    this.#child = child;
    const answer = await this.#ask(child, order);
    if (mutant !== undefined || answer.is === "hung" || answer.is === "crashed") this.stop();
    return answer;
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #start(mutant: number | undefined): ChildProcess {
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
    const active = mutant === undefined ? {} : { ACTIVE_MUTANT: String(mutant) };
    const child = fork(join(this.#folder, "worker.mjs"), {
      env: { ...env, ...active, INCIDENT_TEST_SKIPS_NAMED: "1" },
      execArgv: ["--max-old-space-size=3000"],
      stdio: ["ignore", "ignore", process.env.DEBUG ? "inherit" : "ignore", "ipc"],
    });
    return child;
  }

  #ask(child: ChildProcess, order: Order): Promise<Answer> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (answer: Answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const expect = (milliseconds: number, unit: string) => {
        clearTimeout(timer);
        timer = setTimeout(() => end({ is: "hung", unit }), milliseconds);
      };
      expect(60_000, "the start");
      child.on("exit", () => end({ is: "crashed" }));
      child.on("error", () => end({ is: "crashed" }));
      child.on("message", (report: Report) => {
        if (report.is === "started") expect(report.milliseconds, report.unit);
        else if (report.is !== "ready") end(report);
      });
      child.send(order);
    });
  }
}
