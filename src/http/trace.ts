// What `--debug` shows: each request and how it ended, with every secret replaced by its value, wherever it
// appears.

import { createRedaction } from "./redact.ts";
import type { Outcome, Transport } from "./transport.ts";

/** How much of a body is shown, in UTF-16 units. */
const shownBody = 2048;

/** Wraps an transport so that `write` gets a line for each step. No secret ever reaches `write`. */
export function withTrace(
  transport: Transport,
  options: {
    readonly secrets: readonly string[];
    readonly now: () => number;
    readonly write: (line: string) => void;
  },
): Transport {
  const redact = createRedaction(options.secrets);
  const say = (text: string) => options.write(redact(text));
  return async (request, control) => {
    const start = options.now();
    say(`> ${request.method} ${request.url}`);
    for (const [name, value] of Object.entries(request.headers)) say(`> ${name}: ${value}`);
    if (request.body !== undefined) say(`> ${request.body}`);
    const outcome = await transport(request, control);
    say(`< ${describe(outcome)} in ${Math.round(options.now() - start)} ms`);
    if (outcome.phase === "answered") {
      for (const [name, value] of Object.entries(outcome.headers)) say(`< ${name}: ${value}`);
      // Cut only once the secrets are out: half a key would not be recognised.
      const body = redact(new TextDecoder().decode(outcome.body)).slice(0, shownBody);
      if (body !== "") say(`< ${body}`);
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
