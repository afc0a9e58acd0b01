// The API's spec as tests, section by section and row by row, against the sandbox. sandbox/server.test.ts has the bytes on a
// socket.
import { describe } from "vitest";
import { describeClientIds } from "./client-ids.ts";
import { describeCreateBody } from "./create-body.ts";
import { describeErrors } from "./errors.ts";
import { describeFields } from "./fields.ts";
import { describeOperations } from "./operations.ts";
import { describeResources } from "./resources.ts";

describe("fields", describeFields);
describe("resources", describeResources);
describe("operations", describeOperations);
describe("create body", describeCreateBody);
describe("client ids", describeClientIds);
describe("errors, limits and versions", describeErrors);
