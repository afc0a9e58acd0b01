// What a definition may lean on, as a person writes it: the services of the project's catalog, and variables.
import * as z from "zod/mini";
import { serviceSchema } from "./definition.ts";

/** By the names that definitions use. */
export const catalogSchema = z.record(z.string(), serviceSchema);

/** Texts alone: a number would lose how it was written. */
export const variablesSchema = z.record(z.string(), z.string());
