// The schema of `policy:` in a project's file.
import { once } from "../once.ts";
import { filled, listOf, listOrNone, mapping, oneOf, positive, type ValueOf } from "../rules/kinds.ts";
import { severities } from "./values.ts";

const textSchema = once(() => mapping({ maxLength: positive(), forbid: listOf(filled()) }));

export const policySchema = once(() =>
  mapping({
    notify: listOrNone(oneOf(severities, { code: "unknown-severity", noun: "severity" })),
    leaks: oneOf(["warn", "forbid"]),
    name: textSchema(),
    description: textSchema(),
  }),
);

export type Policy = ValueOf<typeof policySchema>;
export type LeakMode = NonNullable<Policy["leaks"]>;
