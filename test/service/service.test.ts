// The API's spec as tests, section by section and row by row, against the sandbox in process and over a socket.
import { describe } from "vitest";
import { describeClientIds } from "./client-ids.ts";
import { describeCreateBody } from "./create-body.ts";
import { describeErrors } from "./errors.ts";
import { describeFields } from "./fields.ts";
import { describeOperations } from "./operations.ts";
import { describeResources } from "./resources.ts";
import { openInProcess, openOverSocket } from "./service.ts";

describe("the service in process", () => {
  describe("fields", () => describeFields(openInProcess));
  describe("resources", () => describeResources(openInProcess));
  describe("operations", () => describeOperations(openInProcess));
  describe("create body", () => describeCreateBody(openInProcess));
  describe("client ids", () => describeClientIds(openInProcess));
  describe("errors, limits and versions", () => describeErrors(openInProcess));
});

// The section in which headers count; sandbox/server.test.ts has the bytes.
describe("the service over a socket", () => {
  describe("operations", () => describeOperations(openOverSocket));
});
