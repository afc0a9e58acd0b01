// Whether a service keeps the id that a create carries. It is not stated (spec 4.2): the newest answer to one of ours says it.

/** `honoured`: it has the id that was sent. `ignored`: it gets another. */
export const clientIdModes = ["unknown", "honoured", "ignored"] as const;
export type ClientIds = (typeof clientIdModes)[number];

/** The modes that an answer can show. */
export type ClientIdEvidence = Exclude<ClientIds, "unknown">;

/** Whether an incident can be found under the id that was chosen for it. */
export function canBeFound(mode: ClientIds): boolean {
  return mode !== "ignored";
}

/** Whether the service is known to keep the id of a create, so that a missing id says something. */
export function keepsIds(mode: ClientIds): boolean {
  return mode === "honoured";
}
