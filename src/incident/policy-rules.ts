// The rules of `policy:` in a project's file.
import { filled, listOf, listOrNone, mapping, once, oneOf, positive, type ValueOf } from "../rules/kinds.ts";
import { severities } from "./values.ts";

const textSchema = once(() =>
  mapping({
    maxLength: positive({ description: "The most characters." }),
    forbid: listOf(filled(), { description: "Words that must not occur, in either letter case." }),
  }),
);

const notify = {
  description: "The severities that may notify subscribers.",
};
const leaks = {
  description: "Whether internals in the texts, such as a private address or a key, are warnings or errors.",
};

export const policySchema = once(() =>
  mapping({
    notify: listOrNone(oneOf(severities, { code: "unknown-severity", noun: "severity" }), notify),
    leaks: oneOf(["warn", "forbid"], leaks),
    name: textSchema(),
    description: textSchema(),
  }),
);

export type Policy = ValueOf<typeof policySchema>;
export type LeakMode = NonNullable<Policy["leaks"]>;
