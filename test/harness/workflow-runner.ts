// Runs the steps of a GitHub workflow or a composite action on this machine. The actions of others that they use are
// stand-ins: a checkout from a local repository and a cache in a folder.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { execa } from "execa";
import { parse } from "yaml";

type Values = Readonly<Record<string, unknown>>;

export interface Step {
  readonly id?: string;
  readonly if?: string | boolean;
  readonly uses?: string;
  readonly with?: Values;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Values;
  readonly "working-directory"?: string;
}

export interface Runner {
  /** A git repository; `actions/checkout` clones it. */
  readonly repository: string;
  /** Survives from run to run: caches, and what was uploaded. */
  readonly storage: string;
  /** An empty folder for each run: the workspace and the temporary folder of the runner. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly github?: Values;
  readonly secrets?: Values;
  /** By the name of a job that ran before: its outputs. */
  readonly needs?: Values;
  /** The folder of the action that `uses: ./` or `uses: OWNER/…` names. */
  readonly action?: string;
}

export interface StepResult {
  /** The command, or the action. */
  readonly name: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface JobResult {
  readonly exitCode: number;
  readonly steps: readonly StepResult[];
  /** The outputs of the steps that have an id. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface Scope {
  readonly runner: Runner;
  readonly inputs: Values;
  readonly env: Readonly<Record<string, string>>;
  readonly outputs: Record<string, Record<string, string>>;
  readonly log: StepResult[];
  readonly actionPath: string;
}

/** Runs the steps in order, as GitHub does: after a failure, only those whose condition says so. */
export async function runSteps(
  steps: readonly Step[],
  runner: Runner,
  { inputs = {}, env = {} }: { readonly inputs?: Values; readonly env?: Values } = {},
): Promise<JobResult> {
  mkdirSync(join(runner.folder, "work"), { recursive: true });
  mkdirSync(join(runner.folder, "temp"), { recursive: true });
  const scope: Scope = { runner, inputs, env: {}, outputs: {}, log: [], actionPath: runner.action ?? "" };
  const exitCode = await runAll(steps, { ...scope, env: evaluateAll(env, scope, true) });
  return { exitCode, steps: scope.log, outputs: scope.outputs };
}

async function runAll(steps: readonly Step[], scope: Scope): Promise<number> {
  let exitCode = 0;
  for (const step of steps) {
    if (!isTrue(step.if ?? true, scope, exitCode === 0)) continue;
    const code = await runStep(step, scope);
    exitCode ||= code;
  }
  return exitCode;
}

async function runStep(step: Step, scope: Scope): Promise<number> {
  const env = { ...scope.env, ...evaluateAll(step.env ?? {}, scope, true) };
  if (step.uses !== undefined) return await use(step, { ...scope, env });
  const script = String(evaluate(step.run ?? "", scope, true));
  const { folder } = scope.runner;
  const output = join(folder, "temp", `output-${scope.log.length}`);
  const file = join(folder, "temp", `step-${scope.log.length}.sh`);
  writeFileSync(output, "");
  writeFileSync(file, script);
  const options = step.shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"];
  const { exitCode, stdout, stderr } = await execa("bash", [...options, file], {
    cwd: join(folder, "work", step["working-directory"] ?? ""),
    extendEnv: false,
    reject: false,
    stdin: "ignore",
    env: {
      ...scope.runner.env,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_ACTION_PATH: scope.actionPath,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: join(folder, "temp/summary.md"),
      GITHUB_WORKSPACE: join(folder, "work"),
      RUNNER_TEMP: join(folder, "temp"),
      ...env,
    },
  });
  if (step.id !== undefined) scope.outputs[step.id] = readOutputs(output);
  scope.log.push({ name: script.trim(), exitCode: exitCode ?? 1, stdout, stderr });
  return exitCode ?? 1;
}

/** Only the form `name=value`. */
function readOutputs(file: string): Record<string, string> {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

async function use(step: Step, scope: Scope): Promise<number> {
  const name = step.uses as string;
  const values = evaluateAll(step.with ?? {}, scope, true);
  const own = scope.runner.action;
  const known = actions[name.split("@")[0] as string];
  if (known !== undefined) {
    scope.log.push({ name, exitCode: 0, stdout: await known(values, scope), stderr: "" });
    return 0;
  }
  if (own === undefined) throw new Error(`no stand-in for ${name}`);
  const { inputs, runs } = parse(readFileSync(join(own, "action.yml"), "utf8"));
  const defaults = Object.fromEntries(
    Object.entries(inputs as Record<string, { default?: string }>).map(([key, input]) => [
      key,
      input.default ?? "",
    ]),
  );
  return await runAll(runs.steps, { ...scope, inputs: { ...defaults, ...values } });
}

const actions: Readonly<
  Record<string, (values: Readonly<Record<string, string>>, scope: Scope) => Promise<string> | string>
> = {
  "actions/checkout": async ({ ref, path = "" }, { runner }) => {
    const branch = ref ? ["--branch", ref] : [];
    await execa("git", ["clone", "--quiet", ...branch, runner.repository, join(runner.folder, "work", path)]);
    return runner.repository;
  },
  "actions/attest-build-provenance": (values) => `attested ${values["subject-path"]}`,
  "actions/download-artifact": (values, { runner }) => {
    const wanted = new RegExp(`^${(values.pattern ?? values.name ?? "").replaceAll("*", ".*")}$`);
    const kept = join(runner.storage, "artifacts");
    const target = join(runner.folder, "work", values.path ?? "");
    const names = readdirSync(kept).filter((name) => wanted.test(name));
    for (const name of names) cpSync(join(kept, name), target, { recursive: true });
    return names.join(" ");
  },
  "actions/upload-artifact": (values, { runner }) => {
    const path = values.path as string;
    const kept = join(runner.storage, "artifacts", values.name as string);
    const folder = join(runner.folder, "work", dirname(path));
    const wanted = new RegExp(`^${basename(path).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
    const names = readdirSync(folder).filter((name) => wanted.test(name));
    if (names.length === 0 && values["if-no-files-found"] === "error")
      throw new Error(`no ${path} to upload`);
    for (const name of names) cpSync(join(folder, name), join(kept, name), { recursive: true });
    return kept;
  },
  "actions/setup-node": () => "the Node.js of this machine",
};

function evaluateAll(values: Values, scope: Scope, isSuccess: boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, evaluate(String(value), scope, isSuccess)]),
  );
}

/** Replaces each `${{ … }}`. */
function evaluate(text: string, scope: Scope, isSuccess: boolean): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) =>
    evaluateExpression(expression, scope, isSuccess).coerceString(),
  );
}

/** A condition that names no status function holds only while no step has failed. */
function isTrue(condition: string | boolean, scope: Scope, isSuccess: boolean): boolean {
  const expression = String(condition).replace(/^\$\{\{(.*)\}\}$/s, "$1");
  const asksForStatus = /\b(always|success|failure|cancelled)\(\)/.test(expression);
  if (!asksForStatus && !isSuccess) return false;
  const value = evaluateExpression(`!!(${expression})`, scope, isSuccess);
  return value.coerceString() === "true";
}

function evaluateExpression(expression: string, scope: Scope, isSuccess: boolean) {
  const contexts = {
    env: scope.env,
    github: {
      action_path: scope.actionPath,
      workspace: join(scope.runner.folder, "work"),
      ...scope.runner.github,
    },
    inputs: scope.inputs,
    strategy: { "job-total": 1, "job-index": 0 },
    runner: { temp: join(scope.runner.folder, "temp"), os: "Linux" },
    needs: scope.runner.needs ?? {},
    secrets: scope.runner.secrets ?? {},
    steps: Object.fromEntries(Object.entries(scope.outputs).map(([id, outputs]) => [id, { outputs }])),
  };
  const status = { always: true, success: isSuccess, failure: !isSuccess, cancelled: false };
  const functions = Object.entries(status).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const { tokens } = new Lexer(expression.trim()).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
  return new Evaluator(
    parsed,
    values,
    new Map(functions.map((each) => [each.name.toLowerCase(), each])),
  ).evaluate();
}
