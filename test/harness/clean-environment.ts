// What a developer or a pipeline has set must not change what the tests see.
for (const name of ["FORCE_COLOR", "NO_COLOR", "CI"]) delete process.env[name];
