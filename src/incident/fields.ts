// The fields that a person gives as one text: by a flag, by an answer, or in a file. The schema of a definition states
// them; flags, questions, drafts, pages and comparisons go through this list.
import type { FieldNotes, RuleSchema } from "../rules/rule-schema.ts";
import { rulesOf } from "../rules/schema-facts.ts";
import { definitionRules } from "./definition.ts";

export interface TextField extends FieldNotes {
  /** The name of its flag, as a run reads it, and of its answer in a draft. */
  readonly key: string;
  /** Its name in an incident, or in an update. */
  readonly name: string;
  readonly isOfUpdate: boolean;
  readonly isRequired: boolean;
  readonly rules: RuleSchema;
}

const of = (rules: RuleSchema, isOfUpdate: boolean): readonly TextField[] =>
  Object.entries(rules.properties ?? {}).flatMap(([name, own]) => {
    const notes = own["x-field"];
    if (notes === undefined) return [];
    const key = notes.flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const isRequired = rules.required?.includes(name) ?? false;
    return [{ ...notes, key, name, isOfUpdate, isRequired, rules: own }];
  });

export const fieldsOfIncident = of(definitionRules, false);
export const fieldsOfUpdate = of(rulesOf(definitionRules, "incidentUpdates[]") ?? {}, true);

/** The key of each is its own. */
export const textFields: readonly TextField[] = [...fieldsOfIncident, ...fieldsOfUpdate];
