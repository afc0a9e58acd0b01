// A service by hand: answers are functions, and every request is kept. Shared by the tests of odd answers.
import type { Answered, Control, Outcome, Transport, WireRequest } from "../../src/http/transport.ts";
import { incidentId, service } from "../harness/builders.ts";

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answered {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { phase: "answered", status, headers, body: new TextEncoder().encode(text) };
}

/** In the service's own error shape (spec 7). */
export function refusal(statusCode: number, headers: Record<string, string> = {}): Answered {
  return answer(statusCode, { statusCode, error: "Refused" }, headers);
}

export const lost: Outcome = { phase: "unanswered", reason: "reset", detail: "reset" };

/** The incident of `definitionYaml()` as a service has it. */
export const incidentOf = (fields: Readonly<Record<string, unknown>> = {}) => ({
  id: incidentId,
  name: "Checkout fails",
  severity: "MAJOR",
  services: [service],
  incidentUpdates: [{ id: service.id, description: "We are looking into it.", status: "INVESTIGATING" }],
  lastUpdateStatus: "INVESTIGATING",
  ...fields,
});

export interface Service {
  readonly transport: Transport;
  /** The bodies of the creates. */
  readonly sent: Record<string, unknown>[];
  readonly requests: WireRequest[];
}

/** `create` gives the outcome of each create, numbered from 1; `read` that of each read, by the id that it asks for; or the one of all. */
export function createService(
  create: Outcome | ((body: Record<string, unknown>, number: number) => Outcome | Promise<Outcome>),
  read: Outcome | ((id: string, control: Control) => Outcome | Promise<Outcome>) = refusal(404),
): Service {
  const sent: Record<string, unknown>[] = [];
  const requests: WireRequest[] = [];
  const transport: Transport = async (request, control) => {
    requests.push(request);
    if (request.method === "GET")
      return typeof read === "function" ? read(request.url.split("/").at(-1) ?? "", control) : read;
    await control.beforeSend?.();
    if (control.isOverdue?.()) return { phase: "unsent", reason: "timeout", detail: "too late" };
    const body = JSON.parse(request.body ?? "");
    sent.push(body);
    return typeof create === "function" ? create(body, sent.length) : create;
  };
  return { transport, sent, requests };
}
