// A JSON Schema validator that this project did not write, on the schemas of an OpenAPI document.
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import formats from "ajv-formats";

/** What the schema with this name finds wrong with a value. */
export function createDocumentValidator(
  document: unknown,
): (name: string, value: unknown) => readonly ErrorObject[] {
  // A document has more keywords than JSON Schema, such as `example`.
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  formats.default(ajv);
  ajv.addSchema(document as object, "document");
  return (name, value) => {
    const reference = `document#/components/schemas/${name}`;
    const check = ajv.getSchema(reference);
    if (check === undefined) throw new Error(`The document has no ${reference}.`);
    check(value);
    return check.errors ?? [];
  };
}
