// The rules of `policy:` in a project's file, as a zod schema.
import * as z from "zod/mini";
import { atLeast, noted } from "../rules/schema.ts";
import { consentModes, severities } from "./values.ts";

const words = z.array(z.string().check(atLeast(1))).check(atLeast(1));
const length = z.int().check(z.minimum(1));

const textRules = z.strictObject({
  maxLength: noted(z.optional(length), { description: "The most characters." }),
  forbid: noted(z.optional(words), { description: "Words that must not occur, in either letter case." }),
});

export const policySchema = z.strictObject({
  notify: noted(
    z.optional(z.array(noted(z.enum(severities), { "x-code": "unknown-severity", "x-noun": "severity" }))),
    { description: "The severities that may notify subscribers." },
  ),
  confirm: noted(z.optional(z.enum(consentModes)), {
    description: "The incidents that need --confirm where nobody can be asked; a profile cannot loosen it.",
  }),
  leaks: noted(z.optional(z.enum(["warn", "forbid"])), {
    description:
      "Whether internals in the texts, such as a private address or a key, are warnings or errors.",
  }),
  name: z.optional(textRules),
  description: z.optional(textRules),
});

export type Policy = z.infer<typeof policySchema>;
export type LeakMode = NonNullable<Policy["leaks"]>;
