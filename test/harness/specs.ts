// The specs of all commands, in the order of the registry.
import { rows } from "../../src/cli/registry.ts";
import { formatsOf } from "../../src/kit/command.ts";

export const specs = await Promise.all(
  rows.map(async ({ load }) => {
    const { spec } = await load();
    return { ...spec, outputs: formatsOf(spec, spec.result) };
  }),
);
