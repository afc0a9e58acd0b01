// Assembles the transport of a command, from the network outwards: redaction, trace of --debug, spinner, rate limit, retries.
import type { Context, Reporter, System } from "../platform/context.ts";
import { repository } from "../project.ts";
import { version } from "../version.ts";
import { withRateLimit } from "./rate-limiter.ts";
import { createRedaction, withRedaction } from "./redact.ts";
import { type RetryDeps, withRetries } from "./retry.ts";
import type { Outcome, Transport } from "./transport.ts";

export interface TransportDeps extends Pick<Context, "network">, Pick<Reporter, "debug"> {
  readonly system: Pick<System, "clock">;
}

/** Hides `secrets` in answers, errors and the trace. `maxRetries`: of a read; a create is never retried. */
export function createTransport(
  context: TransportDeps & RetryDeps,
  { secrets, maxRetries }: { readonly secrets: readonly string[]; readonly maxRetries: number },
): Transport {
  const raw = createRawTransport(context, secrets);
  const withWait: Transport = (request, control) =>
    context.withSpinner(
      () => `waiting for ${new URL(request.url).host}`,
      () => raw(request, control),
    );
  return withRetries(withRateLimit(withWait, context), context, maxRetries);
}

/** The way to the network with redaction, and with a trace under --debug: each call is exactly one request. */
export function createRawTransport(
  { debug, network, system }: TransportDeps,
  secrets: readonly string[],
): Transport {
  const transport = withRedaction(network, secrets);
  const traced =
    debug === undefined ? transport : withTrace(transport, createRedaction(secrets), debug, system.clock.now);
  return (request, control) =>
    traced({ ...request, headers: { ...request.headers, ...carryingHeaders } }, control);
}

/** A proxy refuses requests that do not name their sender. A body that is compressed all the same is not read. */
const carryingHeaders = {
  "user-agent": `incident-cli/${version}${repository === "" ? "" : ` (+${repository})`}`,
  "accept-encoding": "identity",
};

const shownBodyLength = 2048;

function withTrace(
  transport: Transport,
  redact: (text: string) => string,
  write: (line: string) => void,
  now: () => number,
): Transport {
  const writeLine = (text: string) => write(redact(text));
  return async (request, control) => {
    const start = now();
    writeLine(`> ${request.method} ${request.url}`);
    for (const [name, value] of Object.entries(request.headers)) writeLine(`> ${name}: ${value}`);
    if (request.body !== undefined) writeLine(`> ${request.body}`);
    const outcome = await transport(request, control);
    writeLine(`< ${describe(outcome)} in ${Math.round(now() - start)} ms`);
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
