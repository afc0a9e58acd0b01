// A service of which some requests are answered in its place, or some answers are changed.
import type { Outcome, Transport, WireRequest } from "../../src/http/transport.ts";

interface Service {
  readonly transport: Transport;
}

/** Ends requests before they reach the service; where `answerTo` gives undefined, the service answers. */
export function answering(
  { transport }: Service,
  answerTo: (request: WireRequest) => Outcome | undefined,
): Transport {
  return async (request, control) => {
    const outcome = answerTo(request);
    if (outcome === undefined) return transport(request, control);
    if (outcome.phase !== "unsent") await control.beforeSend?.();
    return outcome;
  };
}

/** Changes the bodies of answers; where `change` gives undefined, an answer stays. */
export function rewriting(
  { transport }: Service,
  change: (text: string, request: WireRequest) => string | undefined,
): Transport {
  return async (request, control) => {
    const outcome = await transport(request, control);
    if (outcome.phase !== "answered") return outcome;
    const text = change(Buffer.from(outcome.body).toString(), request);
    return text === undefined ? outcome : { ...outcome, body: Buffer.from(text) };
  };
}

/** Whether a request adds an update to an incident. */
export const isUpdate = ({ method, url }: Pick<WireRequest, "method" | "url">) =>
  method === "POST" && !url.endsWith("/incidents");
