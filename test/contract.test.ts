// The API's spec as a list of tests, section by section and row by row, run against the sandbox twice: in
// process and over a socket.
import { describe } from "vitest";
import { describeClientIds } from "./contract/client-ids.ts";
import { describeCreateBody } from "./contract/create-body.ts";
import { describeErrors } from "./contract/errors.ts";
import { describeFields } from "./contract/fields.ts";
import { describeOperations } from "./contract/operations.ts";
import { describeResources } from "./contract/resources.ts";
import { ways } from "./contract/service.ts";

describe.each(ways)("the service %s", (_name, open) => {
  describe("fields", () => describeFields(open));
  describe("resources", () => describeResources(open));
  describe("operations", () => describeOperations(open));
  describe("create body", () => describeCreateBody(open));
  describe("client ids", () => describeClientIds(open));
  describe("errors, limits and versions", () => describeErrors(open));
});
