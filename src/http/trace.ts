// Writes the trace of --debug: each request and its outcome, with every secret redacted.
import { createRedaction } from "./redact.ts";
import type { Outcome, Transport } from "./transport.ts";

const shownBodyLength = 2048;

export function withTrace(
  transport: Transport,
  options: {
    readonly secrets: readonly string[];
    readonly now: () => number;
    readonly write: (line: string) => void;
  },
): Transport {
  const redact = createRedaction(options.secrets);
  const writeLine = (text: string) => options.write(redact(text));
  return async (request, control) => {
    const start = options.now();
    writeLine(`> ${request.method} ${request.url}`);
    for (const [name, value] of Object.entries(request.headers)) writeLine(`> ${name}: ${value}`);
    if (request.body !== undefined) writeLine(`> ${request.body}`);
    const outcome = await transport(request, control);
    writeLine(`< ${describe(outcome)} in ${Math.round(options.now() - start)} ms`);
    if (outcome.phase === "answered") {
      for (const [name, value] of Object.entries(outcome.headers)) writeLine(`< ${name}: ${value}`);
      // Redact before cutting: half a key would not be recognized.
      const body = redact(new TextDecoder().decode(outcome.body)).slice(0, shownBodyLength);
      if (body !== "") writeLine(`< ${body}`);
    }
    return outcome;
  };
}

function describe(outcome: Outcome): string {
  if (outcome.phase === "answered") {
    const bodyError = outcome.bodyError === undefined ? "" : `, body ${outcome.bodyError}`;
    return `${outcome.status}, ${outcome.body.length} bytes${bodyError}`;
  }
  return `${outcome.phase} (${outcome.reason}: ${outcome.detail})`;
}
