// The schemas of a definition and of the files that it uses. Only what checks a value loads them, and zod.
import * as z from "zod/mini";
import { schemaOf } from "../rules/schema.ts";
import { definitionRules, serviceRules } from "./definition.ts";

export const definitionSchema = schemaOf(definitionRules);

export const serviceSchema = schemaOf(serviceRules);

export const catalogSchema = z.record(z.string(), serviceSchema);

/** A file of variables. A value may be a list or a mapping, as in the body of an alert. */
export const variablesSchema = z.record(z.string(), z.unknown());
