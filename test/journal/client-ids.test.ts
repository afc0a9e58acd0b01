// Which ids can be looked for.
import { expect, it } from "vitest";
import { canBeFound, keepsIds } from "../../src/journal/client-ids.ts";

it.each([
  ["unknown", true, false],
  ["honoured", true, true],
  ["ignored", false, false],
] as const)(
  "where ids are %s, an incident can be found: %s; a missing id says something: %s",
  (mode, isFound, isKept) => {
    expect([canBeFound(mode), keepsIds(mode)]).toEqual([isFound, isKept]);
  },
);
