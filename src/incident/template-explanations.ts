// Explanations of the codes about templates.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.
import { type Explanation, toolDecision } from "./text-explanations.ts";

export const templateExplanations = {
  "no-input": {
    title: "the input of --vars holds no variables",
    meaning:
      "The input is empty, cut off, or something else than JSON or YAML, such as an error page. Nothing in it can fill a template.",
    wrong: "<html>502 Bad Gateway</html>",
    right: '{"status": "firing", "commonLabels": {"severity": "page"}}',
    basis: toolDecision,
  },
  "undeclared-variable": {
    title: "a template uses a variable that it does not declare",
    meaning:
      "The first document of a template declares every variable, so that a missing value is found before the text is sent.",
    wrong: "variables: {}\n---\nname: Checkout fails in ${region}",
    right: "variables:\n  region: { enum: [eu, us] }\n---\nname: Checkout fails in ${region}",
    basis: toolDecision,
  },
  "unused-variable": {
    title: "a template declares a variable that it does not use",
    meaning: "A value for it would change nothing, although a person is asked for it.",
    wrong: "variables:\n  region:\n---\nname: Checkout fails",
    right: "variables: {}\n---\nname: Checkout fails",
    basis: toolDecision,
  },
  "bad-pattern": {
    title: "a pattern cannot be used",
    meaning:
      "A pattern is a regular expression without lookaround and back references, because its search must end in linear time.",
    wrong: "variables:\n  region: { pattern: '(?!eu).*' }\n---\nname: Checkout fails in ${region}",
    right: "variables:\n  region: { pattern: '^[a-z]+-[0-9]$' }\n---\nname: Checkout fails in ${region}",
    basis: toolDecision,
  },
  "bad-dedup-key": {
    title: "a template has a dedup key, and its definition an id",
    meaning: "Each incident of a dedup key gets an id of its own, so that the next one can be declared.",
    wrong:
      'dedupKey: "${groupKey}"\nvariables: {}\n---\nid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\nname: Checkout fails',
    right: 'dedupKey: "${groupKey}"\nvariables: {}\n---\nname: Checkout fails',
    basis: toolDecision,
  },
  "bad-default": {
    title: "a text that a variable can write breaks a rule of the variable",
    meaning:
      "default, otherwise and each text of values are checked like every other value: enum, pattern and maxLength. otherwise takes the place of default.",
    wrong: "variables:\n  region: { enum: [eu, us], default: asia }\n---\nname: Checkout fails in ${region}",
    right: "variables:\n  region: { enum: [eu, us], default: eu }\n---\nname: Checkout fails in ${region}",
    basis: toolDecision,
  },
} satisfies Record<string, Explanation>;
