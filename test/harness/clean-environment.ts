// Removes the variables of a developer or a pipeline that change the output.
import { agentVariables } from "../../src/workspace/consent.ts";

for (const name of ["FORCE_COLOR", "NO_COLOR", "CI", ...agentVariables]) delete process.env[name];
