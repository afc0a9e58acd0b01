// Assembles the transport of a command, from the raw way to the network outwards: redaction, trace, spinner, rate
// limit, retries. The trace of --debug shows each request and its outcome.
import type { Network, Reporter, System } from "../platform/context.ts";
import { repository } from "../project.ts";
import { version } from "../version.ts";
import { createRedaction, withRedaction } from "./redact.ts";
import { type RetryDeps, withRetries } from "./retry.ts";
import type { Outcome, Transport } from "./transport.ts";

export interface TransportDeps extends Pick<Reporter, "debug"> {
  readonly network: Network;
  readonly system: Pick<System, "clock" | "env">;
}

interface TransportOptions {
  /** Removed from every answer, error and line of the trace. */
  readonly secrets: readonly string[];
  readonly limit: (transport: Transport) => Transport;
  /** The retries of a read. The transport never retries a create. */
  readonly maxRetries: number;
}

export function createTransport(
  context: TransportDeps & RetryDeps,
  { secrets, limit, maxRetries }: TransportOptions,
): Transport {
  const raw = createRawTransport(context, secrets);
  const withWait: Transport = (request, control) =>
    context.withSpinner(
      () => `waiting for ${new URL(request.url).host}`,
      () => raw(request, control),
    );
  return withRetries(limit(withWait), context, maxRetries);
}

/** The way to the network with redaction, and with a trace under --debug: each call is exactly one request. */
export function createRawTransport(
  { debug, network, system }: TransportDeps,
  secrets: readonly string[],
): Transport {
  const transport = withRedaction(network.openTransport(), secrets);
  const traced =
    debug === undefined ? transport : withTrace(transport, { secrets, now: system.clock.now, write: debug });
  const carrying = carryingHeaders(system.env);
  return (request, control) => traced({ ...request, headers: { ...request.headers, ...carrying } }, control);
}

/** W3C Trace Context 1 (3.2): version, trace, parent, flags; ids of zeros and the version ff are not valid. */
const traceParent = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Who sends a request, and the trace that it belongs to. A proxy refuses requests that do not name their sender. */
function carryingHeaders(env: System["env"]): Readonly<Record<string, string>> {
  const { TRACEPARENT: trace = "" } = env;
  return {
    "user-agent": `incident-cli/${version}${repository === "" ? "" : ` (+${repository})`}`,
    ...(traceParent.test(trace) && { traceparent: trace }),
  };
}

const shownBodyLength = 2048;

function withTrace(
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
