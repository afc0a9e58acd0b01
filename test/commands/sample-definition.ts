// A small definition for the tests of commands, and a catalog for the names in it.
import { definitionYaml, serviceId } from "../harness/builders.ts";

export const definition = definitionYaml();

export const byName = definition.replace(/^services:.*$/m, "services: [checkout]");

export const catalog = `# what we run
services:
  checkout: # the shop
    id: ${serviceId}
    name: Checkout
    accountId: 11111111-2222-4333-8444-555555555555
    created_at: 2026-01-02
  public-api:
    id: 8a1d3c52-6f0e-4b7a-9c11-2d5e7f9a0b31
    name: Public API
`;

/** The JSON body of the only create in the requests. */
export function sentBody(requests: readonly { readonly method: string; readonly body?: string }[]) {
  const [only, ...others] = requests.filter(({ method }) => method === "POST");
  if (only?.body === undefined || others.length > 0) throw new Error("there is not exactly one create");
  return JSON.parse(only.body);
}
