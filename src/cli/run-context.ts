// The Context of a run: the process's own, with a reporter and a way to show pages to the person.
import type { Format, RunContext } from "../commands/define-command.ts";
import type { Transport } from "../http/transport.ts";
import type { Context } from "../platform/context.ts";
import { createStyleFor, loadStyle, type PrintOptions } from "./output-style.ts";
import { createReporter } from "./reporter.ts";

export function createRunContext(context: Context, { format, global }: PrintOptions): RunContext {
  const { io, network, system } = context;
  const openTransport = () => withStyleLoading(network.openTransport(), format);
  return {
    ...context,
    network: { ...network, openTransport },
    openTransport,
    ...createReporter(context, global, format),
    show: async (page) => io.stderr.write(await page(await createStyleFor(system, io.stderr, global))),
  };
}

/** Loads the style while the service works on a request. */
function withStyleLoading(transport: Transport, format: Format): Transport {
  if (format !== "table" && format !== "text") return transport;
  // If loading fails, drawing the page fails as well and reports the error.
  const whileWaiting = () => void loadStyle().catch(() => undefined);
  return (request, control) => transport(request, { ...control, whileWaiting });
}
