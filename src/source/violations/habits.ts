// The names of fields that people know from other tools, with the names that definitions use.

const names: ReadonlyMap<string, readonly string[]> = new Map([
  ["body", ["description"]],
  ["components", ["services"]],
  ["headline", ["name"]],
  ["impact", ["severity"]],
  ["message", ["description"]],
  ["notify", ["notifySubscribers"]],
  ["priority", ["severity"]],
  ["startedat", ["publicIncidentUpdateDate"]],
  ["started_at", ["publicIncidentUpdateDate"]],
  ["state", ["status"]],
  ["summary", ["name", "description"]],
  ["text", ["description"]],
  ["title", ["name"]],
  ["updates", ["incidentUpdates"]],
]);

/** The one of the fields that a name from another tool stands for. */
export function habitualField(name: string, fields: readonly string[]): string | undefined {
  return names.get(name.toLowerCase())?.find((field) => fields.includes(field));
}
