// The specs of all commands, in the order of the registry.
import { rows } from "../../src/cli/registry.ts";
import { type Format, formatsOf } from "../../src/kit/report.ts";

export const specs = await Promise.all(
  rows.map(async ({ load }) => {
    const { spec } = await load();
    const outputs: readonly Format[] = formatsOf[spec.result];
    return { ...spec, outputs };
  }),
);
