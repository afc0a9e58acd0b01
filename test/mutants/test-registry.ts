// Stands for vitest in the bundle of the tests: collects them, so that one process can run each of them by itself, any
// number of times. The assertions are those of vitest.

type Work = (...given: unknown[]) => unknown;

interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly hooks: Record<"beforeAll" | "afterAll" | "beforeEach" | "afterEach", Work[]>;
}

export interface RegisteredTest {
  readonly name: string;
  readonly suite: Suite;
  readonly work: Work;
  readonly timeout: number | undefined;
}

function createSuite(name: string, parent: Suite | undefined): Suite {
  return { name, parent, hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] } };
}

let suite = createSuite("", undefined);
let tests: RegisteredTest[] = [];
let finishers: Work[] = [];

/** The tests that `load` registers. */
export async function collectTests(load: () => Promise<unknown>): Promise<readonly RegisteredTest[]> {
  suite = createSuite("", undefined);
  tests = [];
  await load();
  return tests;
}

/** The suites whose `beforeAll` has run, outermost first, with what ends them. */
const open: { readonly suite: Suite; readonly cleanups: Work[] }[] = [];

/** Runs one test. The suites around it stay open for the next one. Throws where it fails. */
export async function runTest({ suite: own, work }: RegisteredTest): Promise<void> {
  const chain: Suite[] = [];
  for (let at: Suite | undefined = own; at !== undefined; at = at.parent) chain.unshift(at);
  await closeSuites(chain);
  for (const each of chain.slice(open.length)) {
    const cleanups: Work[] = [];
    open.push({ suite: each, cleanups });
    for (const hook of each.hooks.beforeAll) {
      const cleanup = await hook();
      if (typeof cleanup === "function") cleanups.push(cleanup as Work);
    }
  }
  finishers = [];
  try {
    for (const { hooks } of chain) for (const hook of hooks.beforeEach) await hook();
    await work({});
  } finally {
    for (const finish of finishers.reverse()) await finish();
    for (const { hooks } of chain.reverse()) for (const hook of hooks.afterEach) await hook();
  }
}

/** Ends the open suites that are not in `chain`. */
export async function closeSuites(chain: readonly Suite[] = []): Promise<void> {
  while (open.length > 0 && open.some(({ suite: each }, index) => each !== chain[index])) {
    const { cleanups, suite: last } = open.pop() as (typeof open)[number];
    for (const work of [...last.hooks.afterAll, ...cleanups.reverse()]) await work();
  }
}

export function fullName({ name, suite: own }: RegisteredTest): string {
  const names = [name];
  for (let at: Suite | undefined = own; at?.parent !== undefined; at = at.parent) names.unshift(at.name);
  return names.join(" > ");
}

function register(name: string, work: Work, timeout?: unknown): void {
  tests.push({ name, suite, work, timeout: typeof timeout === "number" ? timeout : undefined });
}

function registerSuite(name: string, work: Work): void {
  const parent = suite;
  suite = createSuite(name, parent);
  work();
  suite = parent;
}

type Register = (name: string, work: Work, timeout?: unknown) => void;

/** `each`, `skipIf` and `runIf` of `it` and `describe`. */
function withVariants(run: Register) {
  const each =
    (table: readonly unknown[]): Register =>
    (name, work, timeout) => {
      for (const row of table) {
        const given = Array.isArray(row) ? row : [row];
        run(titleOf(name, given), () => work(...given), timeout);
      }
    };
  const skip: Register = () => undefined;
  const variants = Object.assign((name: string, work: Work, timeout?: unknown) => run(name, work, timeout), {
    each,
    skip,
  });
  const skipped = Object.assign(skip, { each: () => skip, skip });
  return Object.assign(variants, {
    skipIf: (isSkipped: unknown) => (isSkipped ? skipped : variants),
    runIf: (isRun: unknown) => (isRun ? variants : skipped),
  });
}

function titleOf(name: string, given: readonly unknown[]): string {
  let at = 0;
  const [first] = given;
  return name
    .replace(/%[a-z]/g, () => textOf(given[at++]))
    .replace(/\$(\w+)/g, (whole, field) =>
      typeof first === "object" && first !== null ? textOf((first as Record<string, unknown>)[field]) : whole,
    );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

export const it = withVariants(register);
export const test = it;
export const describe = withVariants(registerSuite);

const hook = (kind: keyof Suite["hooks"]) => (work: Work) => void suite.hooks[kind].push(work);
export const beforeAll = hook("beforeAll");
export const afterAll = hook("afterAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const onTestFinished = (work: Work): void => void finishers.push(work);
export const expectTypeOf = (): never => {
  throw new Error("types are not checked here");
};

// Outside of its own processes, vitest needs a state to be imported.
Object.assign(globalThis, { __vitest_worker__: { config: { expect: {} }, filepath: "" } });
const assertions = await import("vitest");
export const expect = Object.assign(assertions.expect, { poll });

/** Repeats an assertion until it passes. */
function poll(get: () => unknown, { interval = 50, timeout = 1000 } = {}): unknown {
  const end = Date.now() + timeout;
  const repeat =
    (matcher: string) =>
    async (...given: unknown[]): Promise<unknown> => {
      for (;;) {
        try {
          const assertion = assertions.expect(await get()) as unknown as Record<string, Work>;
          return assertion[matcher]?.(...given);
        } catch (error) {
          if (Date.now() > end) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
    };
  return new Proxy({}, { get: (_, matcher) => repeat(String(matcher)) });
}
