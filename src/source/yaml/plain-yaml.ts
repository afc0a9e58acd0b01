// Parses YAML fast, into plain values without positions. The only importer of js-yaml.
import { CORE_SCHEMA, loadAll } from "js-yaml";

/** Every document of the text. Throws for text that is no YAML, or that is nested too deeply. */
export function loadPlainYaml(text: string): readonly unknown[] {
  return loadAll(text, null, { schema: CORE_SCHEMA });
}
