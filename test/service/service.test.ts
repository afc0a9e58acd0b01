// The API's spec as tests, section by section and row by row, against the sandbox in process and over a socket.
import { describe } from "vitest";
import { describeClientIds } from "./client-ids.ts";
import { describeCreateBody } from "./create-body.ts";
import { describeErrors } from "./errors.ts";
import { describeFields } from "./fields.ts";
import { describeOperations } from "./operations.ts";
import { describeResources } from "./resources.ts";
import { openNormalising, ways } from "./service.ts";

describe.each(ways)("the service %s", (_name, open) => {
  describe("fields", () => describeFields(open));
  describe("resources", () => describeResources(open));
  describe("operations", () => describeOperations(open));
  describe("create body", () => describeCreateBody(open));
  describe("client ids", () => describeClientIds(open));
  describe("errors, limits and versions", () => describeErrors(open));
});

// How it writes an incident differs; what it refuses, and which incidents it has, does not.
describe("the service that normalises", () => {
  describe("client ids", () => describeClientIds(openNormalising));
  describe("errors, limits and versions", () => describeErrors(openNormalising));
});
