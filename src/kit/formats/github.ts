// -o github: an annotation of GitHub Actions for each problem.
import { nameInRepository, renderAnnotations } from "../../view/reports/github.ts";
import type { Drawing, Results } from "../report.ts";

export const draw = {
  problems: ({ diagnostics, warnings }: Results["problems"], { system }: Drawing) =>
    renderAnnotations([...diagnostics, ...warnings], (file) => nameInRepository(system, file)),
};
