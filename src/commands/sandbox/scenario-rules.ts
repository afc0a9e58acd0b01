// The rules of a scenario file, as a zod schema.
import * as z from "zod/mini";
import { noted, rulesFrom } from "../../rules/from-zod.ts";

const count = z.optional(z.int().check(z.minimum(0)));
const atLeastOne = z.int().check(z.minimum(1));

const scenario = z.strictObject({
  faults: z.optional(z.array(noted(z.string(), { examples: ["create#1:drop-after-commit"] }))),
  seed: count,
  clientIds: z.optional(z.enum(["honour", "ignore", "reject"])),
  serviceLike: z.optional(z.enum(["normalising"])),
  rateLimit: z.optional(z.strictObject({ requests: atLeastOne, seconds: atLeastOne })),
  expect: z.optional(
    z.strictObject({
      requests: count,
      incidents: count,
      updates: count,
      duplicates: count,
      "429s": count,
      exit: count,
    }),
  ),
});

export type ScenarioFile = z.infer<typeof scenario>;

export const scenarioRules = rulesFrom(scenario);
