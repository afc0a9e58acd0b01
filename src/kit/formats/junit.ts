// -o junit: a test case for each file, which fails where it has problems.
import { renderJunit } from "../../view/reports/junit.ts";
import type { Results } from "../report.ts";

export const draw = {
  problems: ({ diagnostics, failure, files }: Results["problems"]) => {
    // The failure of a file with problems is that of its test case.
    return renderJunit(files, diagnostics, diagnostics.length > 0 ? undefined : failure);
  },
};
