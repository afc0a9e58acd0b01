// The policy of a project: its own rules for incidents, checked beside the rules of the API.
import type { DiagnosticCode, DiagnosticMessage, Path } from "../diagnostic.ts";
import type { CompilePattern } from "../rules/patterns.ts";
import { codePointLength, listOf } from "../text/lengths.ts";
import type { Definition } from "./definition.ts";
import type { Policy } from "./policy-rules.ts";

export interface PolicyRules {
  readonly policy: Policy;
  /** The ids of the services that the policy names, in lower case, by their names in the catalog. */
  readonly serviceIds: ReadonlyMap<string, string>;
  readonly compilePattern: CompilePattern;
}

export type PolicyCode = Extract<DiagnosticCode, `policy-${string}`>;

export interface PolicyViolation extends DiagnosticMessage {
  readonly code: PolicyCode;
  readonly path: Path;
}

export function checkPolicy(definition: Definition, rules: PolicyRules): readonly PolicyViolation[] {
  const { policy } = rules;
  return [
    ...checkNotify(definition, policy),
    ...checkServices(definition, rules),
    ...checkText(["name"], definition.name, policy.name, rules),
    ...definition.incidentUpdates.flatMap(({ description }, index) =>
      checkText(["incidentUpdates", index, "description"], description, policy.description, rules),
    ),
    ...checkFirstStatus(definition, policy),
  ];
}

function checkNotify(
  { incidentUpdates, severity }: Definition,
  { notify }: Policy,
): readonly PolicyViolation[] {
  if (notify === undefined || notify.includes(severity)) return [];
  const may = notify.length === 0 ? "no severity notifies" : `only ${listOf(notify)} may notify`;
  return incidentUpdates.flatMap(({ notifySubscribers }, index) =>
    notifySubscribers
      ? [
          {
            code: "policy-notify",
            path: ["incidentUpdates", index, "notifySubscribers"],
            message: `the policy of this project does not let ${severity} notify subscribers`,
            hint: `write false, or change the severity: ${may}`,
          },
        ]
      : [],
  );
}

function checkServices(
  { services }: Definition,
  { policy: { services: rules = {} }, serviceIds }: PolicyRules,
): readonly PolicyViolation[] {
  const { allowed, together = [] } = rules;
  const idOf = (name: string) => serviceIds.get(name);
  const used = new Set(services.map(({ id }) => id.toLowerCase()));
  const allowedIds = allowed && new Set(allowed.map(idOf));
  const strangers = services.flatMap(({ id, name }, index): PolicyViolation[] =>
    allowedIds === undefined || allowedIds.has(id.toLowerCase())
      ? []
      : [
          {
            code: "policy-service",
            path: ["services", index],
            message: `the policy of this project does not allow the service ${name}`,
            hint: `use ${listOf(allowed ?? [], "or")}`,
          },
        ],
  );
  const incomplete = together.flatMap((group): PolicyViolation[] => {
    const missing = group.filter((name) => !used.has(idOf(name) ?? ""));
    if (missing.length === 0 || missing.length === group.length) return [];
    const present = group.filter((name) => !missing.includes(name));
    return [
      {
        code: "policy-service",
        path: ["services"],
        message: `the policy of this project requires ${listOf(group)} together`,
        hint: `add ${listOf(missing)}, or remove ${listOf(present)}`,
      },
    ];
  });
  return [...strangers, ...incomplete];
}

function checkText(
  path: Path,
  text: string,
  rules: Policy["name"],
  { compilePattern }: PolicyRules,
): readonly PolicyViolation[] {
  if (rules === undefined) return [];
  const { forbid = [], maxLength, pattern } = rules;
  const field = path.at(-1);
  const violations: PolicyViolation[] = [];
  const add = (message: string, hint: string) =>
    violations.push({ code: "policy-text", path, message, hint });
  const count = codePointLength(text);
  if (maxLength !== undefined && count > maxLength)
    add(
      `${field} has ${count} characters`,
      `shorten it to at most ${maxLength}, as the policy of this project asks`,
    );
  if (pattern !== undefined && compilePattern(pattern)?.(text) === false)
    add(`${field} does not match the policy of this project`, `write text that matches ${pattern}`);
  const found = forbid.filter((word) => hasWord(text, word));
  if (found.length > 0)
    add(
      `the policy of this project forbids ${listOf(found.map((word) => `"${word}"`))} in ${field}`,
      "remove it",
    );
  return violations;
}

/** Whether the text has the word between other characters than letters and digits, in either letter case. */
function hasWord(text: string, word: string): boolean {
  const [lower, wanted] = [text.toLowerCase(), word.toLowerCase()];
  const isPart = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character);
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, at + 1)) {
    const isStart = !isPart(lower[at - 1]) || !isPart(wanted[0]);
    const isEnd = !isPart(lower[at + wanted.length]) || !isPart(wanted.at(-1));
    if (isStart && isEnd) return true;
  }
  return false;
}

function checkFirstStatus(
  { incidentUpdates }: Definition,
  { firstStatus }: Policy,
): readonly PolicyViolation[] {
  const [first] = incidentUpdates;
  if (firstStatus === undefined || first?.status === undefined || firstStatus.includes(first.status))
    return [];
  return [
    {
      code: "policy-first-status",
      path: ["incidentUpdates", 0, "status"],
      message: `the policy of this project does not let an incident begin with ${first.status}`,
      hint: `begin with ${listOf(firstStatus, "or")}`,
    },
  ];
}
