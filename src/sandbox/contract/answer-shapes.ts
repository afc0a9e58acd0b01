// The shapes and statuses that a service can give the answers of the sandbox; the document may describe one of them.

/** A JSON object. */
export type Node = Readonly<Record<string, unknown>>;

/** The shapes that a service can give an error. The document may describe one of them. `error` is the body of spec 7. */
const errorShapes: readonly ((error: Node) => Node)[] = [
  (error) => error,
  ({ statusCode, error, message }) => ({
    type: "about:blank",
    title: error,
    status: statusCode,
    detail: message,
  }),
  ({ message }) => ({ errors: [{ message }] }),
  ({ message }) => ({ errors: [message] }),
  ({ statusCode, message }) => ({ error: { code: statusCode, message } }),
  ({ error, message }) => ({ error: { code: error, message } }),
  ({ error, message }) => ({ code: error, message }),
  ({ message }) => ({ error: message }),
];

const incidentShapes: readonly ((incident: Node) => Node)[] = [
  (incident) => incident,
  (data) => ({ data }),
  (incident) => ({ incident }),
];

export function shapesOf(status: number, value: Node): readonly Node[] {
  return (status < 400 ? incidentShapes : errorShapes).map((shape) => shape(value));
}

/** The statuses that stand in for one that a document does not have. */
export function statusesFor(status: number): readonly number[] {
  if (status === 201 || status === 200) return [status, 200, 201, 202, 203];
  return status === 400 ? [400, 422] : [status];
}
