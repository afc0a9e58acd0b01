// Removes the variables of a developer or a pipeline that change the output.
for (const name of ["FORCE_COLOR", "NO_COLOR", "CI"]) delete process.env[name];
