// The rules of `policy:` in a project's file.
import { filled, integer, listOf, listOrNone, mappingWith, oneOf } from "../rules/build.ts";
import type { RulesValue } from "../rules/rule-schema.ts";
import { consentModes, severities } from "./values.ts";

const textRules = mappingWith({
  maxLength: integer({ minimum: 1, description: "The most characters." }),
  forbid: listOf(filled(), { description: "Words that must not occur, in either letter case." }),
});

export const policyRules = mappingWith({
  notify: listOrNone(oneOf(severities, { "x-code": "unknown-severity", "x-noun": "severity" }), {
    description: "The severities that may notify subscribers.",
  }),
  confirm: oneOf(consentModes, {
    description: "The incidents that need --confirm where nobody can be asked; a profile cannot loosen it.",
  }),
  leaks: oneOf(["warn", "forbid"], {
    description:
      "Whether internals in the texts, such as a private address or a key, are warnings or errors.",
  }),
  name: textRules,
  description: textRules,
});

export type Policy = RulesValue<typeof policyRules>;
export type LeakMode = NonNullable<Policy["leaks"]>;
