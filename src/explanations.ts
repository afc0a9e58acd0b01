// The closed set of diagnostic codes, with the explanation of each: a wrong and a right example, and the basis of the
// rule. For `incident explain` and for reports that list their rules. Codes are stable, because users filter by them.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is the syntax of definitions.

export interface Explanation {
  /** One sentence without a full stop, for a list. */
  readonly title: string;
  /** The reason for the rule, and the correction. */
  readonly meaning: string;
  readonly wrong: string;
  readonly right: string;
  /** The source of the rule: a section of the API's specification ("spec"), YAML, or a decision of this tool. */
  readonly basis: string;
}

const required =
  "an assumption: spec 2.5 does not show which fields a create needs; these are the ones that an incident comes back with (spec 2.1 to 2.3)";

const toolDecision = "a choice of this tool";

const yaml = "YAML 1.2";

const warning = "This is a warning; incident validate --strict refuses it.";

type Entry = Omit<Explanation, "basis"> & Partial<Explanation>;

const entries = {
  "file-too-large": {
    title: "the file is larger than 1 MiB, or has more than 450,000 YAML tokens",
    meaning: "It is probably the wrong file: a definition takes about a page. It is refused unread.",
    wrong: "one file with thousands of documents",
    right: "several files in one folder: incident create -f incidents/",
  },
  "body-too-large": {
    title: "the incident is larger than 1 MiB of JSON",
    meaning:
      "Variables and aliases count as what they stand for. The journal and the service could not keep it.",
    wrong: "a description of 500 KB, and an alias of it in each of 900 updates",
    right: "a description of a few sentences in each update",
    basis: toolDecision,
  },
  fault: {
    title: "incident could not check the file, because of a bug of its own",
    meaning:
      "The other files are checked as always. Nothing is sent, because this one is not known to be right.",
    wrong: "a file that makes the check itself fail",
    right: "the same file once the bug is corrected: please report it",
  },
  "not-utf8": {
    title: "the file is not UTF-8",
    meaning: "Customers would see wrong characters. A byte order mark and CRLF are fine.",
    wrong: "a file saved as UTF-16 or Latin-1",
    right: "the same file, saved as UTF-8",
    basis: "JSON is sent as UTF-8 (spec 4.2)",
  },
  "yaml-syntax": {
    title: "the text is not YAML",
    meaning: "The parser cannot read the text at this position. The message names the most likely mistake.",
    wrong: "name: Outage: checkout",
    right: 'name: "Outage: checkout"',
    basis: yaml,
  },
  "yaml-version": {
    title: "the file asks for another version of YAML",
    meaning: "Under YAML 1.1, NO would be false and dates would not be text. Files are always read as 1.2.",
    wrong: "%YAML 1.1\n---\nname: Checkout fails",
    right: "name: Checkout fails",
  },
  "too-deep": {
    title: "lists and mappings are nested more than 100 deep",
    meaning: "A definition needs four levels. More are a mistake in the brackets, or an attack.",
    wrong: `name: ${"[".repeat(101)}${"]".repeat(101)}`,
    right: "name: Checkout fails",
  },
  "too-many-aliases": {
    title: "aliases expand to more than 10000 values",
    meaning: "An alias (*name) repeats its anchor (&name). Aliases of aliases grow without bound.",
    wrong: aliasBomb(),
    right: "name: Checkout fails",
  },
  "duplicate-key": {
    title: "a field is written twice",
    meaning: "Parsers differ in the value that they keep, so the file is refused.",
    wrong: "severity: MAJOR\nseverity: MINOR",
    right: "severity: MAJOR",
    basis: yaml,
  },
  "unknown-tag": {
    title: "a tag or an anchor does not apply here",
    meaning:
      "A word that starts with ! sets the type of a value in YAML, and one that starts with & names it. Either is left out of the text.",
    wrong: "name: !important Checkout fails",
    right: 'name: "!important: Checkout fails"',
    basis: yaml,
  },
  "no-definition": {
    title: "the file contains no definition",
    meaning: "Otherwise a pipeline that wrote an empty file would look successful.",
    wrong: "# to be written",
    right: "name: Checkout fails",
  },
  "wrong-type": {
    title: "a value has the wrong type for its field",
    meaning: "A value in quotes is text; true, 5 and null are not. A list has a dash for each entry.",
    wrong: "name: 404",
    right: 'name: "404"',
    basis: "spec 2 and 4.2",
  },
  "unknown-field": {
    title: "there is no such field",
    meaning: "The service would ignore or refuse it, and the intended field would be missing.",
    wrong: "name: Checkout fails\nsevrity: MAJOR\nseverity: MAJOR",
    right: "name: Checkout fails\nseverity: MAJOR",
    basis: "spec 4.2",
  },
  "missing-field": {
    title: "a required field is missing",
    meaning: "The marked mapping needs one more field; the message names it.",
    wrong: "incidentUpdates: [{ status: INVESTIGATING }]",
    right: "incidentUpdates: [{ status: INVESTIGATING, description: We are looking into it. }]",
    basis: required,
  },
  "unknown-severity": {
    title: "the severity is not one of the four",
    meaning: "In files letter case matters; incident validate --fix corrects it. Flags accept any case.",
    wrong: "severity: major",
    right: "severity: MAJOR",
    basis: "spec 2.4",
  },
  "unknown-status": {
    title: "the status is not one of the four",
    meaning: "In files letter case matters; incident validate --fix corrects it. Flags accept any case.",
    wrong: "incidentUpdates: [{ status: fixed, description: It works again. }]",
    right: "incidentUpdates: [{ status: RESOLVED, description: It works again. }]",
    basis: "spec 2.4",
  },
  "unknown-value": {
    title: "the value is not allowed in this field",
    meaning: "This field of a settings file accepts a few values; the message lists them.",
    wrong: "clientIds: maybe",
    right: "clientIds: honoured",
  },
  placeholder: {
    title: "a placeholder was not replaced",
    meaning: "incident new writes CHANGEME where only the author knows the value. It is never sent.",
    wrong: "name: CHANGEME",
    right: "name: Checkout fails",
  },
  "cut-text": {
    title: "a # cuts a text short",
    meaning: `A # after a space starts a comment. Quotes keep the whole text. ${warning}`,
    wrong: "name: Checkout #42 fails",
    right: 'name: "Checkout #42 fails"',
    basis: yaml,
  },
  "repeated-service": {
    title: "a service is listed twice",
    meaning: `Two entries have the same id or name; or the catalog has one id under two names. ${warning}`,
    wrong:
      "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }, { name: checkout, id: 8a1d3c52-6f0e-4b7a-9c11-2d5e7f9a0b31 }]",
    right: "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
  },
  "backward-status": {
    title: "a status goes backwards in time",
    meaning: `A later update has an earlier status, as after a reopening. ${warning}`,
    wrong:
      "incidentUpdates: [{ status: RESOLVED, description: It works. }, { status: INVESTIGATING, description: We are looking into it. }]",
    right:
      "incidentUpdates: [{ status: INVESTIGATING, description: We are looking into it. }, { status: RESOLVED, description: It works. }]",
  },
  "future-date": {
    title: "a date is in the future",
    meaning: `Customers see the date. The year or the offset may be wrong. ${warning}`,
    wrong: "created_at: 2206-03-01",
    right: "created_at: 2026-03-01",
  },
  "typographic-quotes": {
    title: "a text is in typographic quotes",
    meaning: `YAML knows only the quotes " and '. Others are part of the text. ${warning}`,
    wrong: "name: “Checkout fails”",
    right: 'name: "Checkout fails"',
    basis: yaml,
  },
  "left-placeholder": {
    title: "a text still has a variable of another tool",
    meaning: `Customers would read {{ region }}, or $REGION in single quotes of a shell. A variable here is \${region}. ${warning}`,
    wrong: "name: Checkout fails in {{ region }}",
    right: "name: Checkout fails in Europe",
  },
  "repeated-definition": {
    title: "two definitions without an id are the same",
    meaning: `Nothing tells the two apart, so create declares two incidents. ${warning}`,
    wrong: "a definition without an id, and a copy of it",
    right: "one of them, or an id in each: incident validate --fix --assign-ids",
  },
  "missing-id": {
    title: "a definition that is applied has no id",
    meaning: "incident apply finds an incident by its id. validate --fix --assign-ids writes one.",
    wrong: "name: Checkout fails",
    right: "id: 7c9e6679-7425-40de-944b-e07fc1f90ae7\nname: Checkout fails",
  },
  "duplicate-id": {
    title: "two definitions have the same id",
    meaning: "The id identifies an incident, so only one of the two could be declared.",
    wrong: "a definition that was copied together with its id",
    right: "an id of its own for each: incident validate --fix --assign-ids",
  },
  refused: {
    title: "the service refused this part of a definition",
    meaning:
      "It breaks a rule that only the service knows, in whose words the message is. Nothing was created.",
    wrong: "a service without accountId, where the account of the settings is none",
    right: "the same definition with the field that the message names",
    basis: "an assumption: spec 7.4 does not show how a service names the field of a body that it refuses",
  },
  contract: {
    title: "the service's own contract has a rule that the definition breaks",
    meaning: "incident.contract.json has the service's rules. create --ignore-contract sends it anyway.",
    wrong: "a second entry in incidentUpdates, where the contract has exactly 1",
    right: "one entry, and incident update for each other update",
    basis: "the service's own OpenAPI document (spec 9.2)",
  },
  "name-too-long": {
    title: "the name is too long",
    meaning: "The message names the limit, which counts Unicode code points, not bytes.",
    wrong: `name: ${"x".repeat(256)}`,
    right: "name: Checkout fails",
    basis: "spec 2.1 and 8",
  },
  "control-character": {
    title: "a name has a line break or another control character",
    meaning:
      "A name stands on one line of a page, of a mail and of a list. Line breaks at its end do no harm.",
    wrong: String.raw`name: "Checkout\nfails"`,
    right: "name: Checkout fails",
    basis: toolDecision,
  },
  "blank-text": {
    title: "a text is empty or invisible",
    meaning: "Customers would read nothing. Spaces and invisible characters alone do not count as text.",
    wrong: 'name: ""',
    right: "name: Checkout fails",
    basis: required,
  },
  "empty-list": {
    title: "a list is empty that needs an entry",
    meaning: "An incident affects at least one service and has at least one update.",
    wrong: "services: []",
    right: "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]",
    basis: "spec 8 for services; for incidentUpdates spec 1, which takes the status from the latest one",
  },
  "not-a-guid": {
    title: "an id is not in the form of a GUID",
    meaning: "A GUID is 8-4-4-4-12 hexadecimal digits, of any version, in upper or lower case.",
    wrong: "id: checkout-1",
    right: "id: 7c9e6679-7425-40de-944b-e07fc1f90ae7",
    basis: "spec 2",
  },
  "not-a-date": {
    title: "a date is not valid",
    meaning: "A date is year-month-day, and exists in the calendar.",
    wrong: "created_at: 2026-02-30",
    right: "created_at: 2026-02-28",
    basis: "spec 2",
  },
  "not-a-date-time": {
    title: "a time is not ISO 8601 with an offset",
    meaning: "Without an offset, the time is ambiguous. Z stands for UTC; seconds may be left out.",
    wrong:
      "incidentUpdates: [{ description: We are looking., publicIncidentUpdateDate: '2026-03-01 09:30' }]",
    right:
      "incidentUpdates: [{ description: We are looking., publicIncidentUpdateDate: '2026-03-01T09:30Z' }]",
    basis: "spec 2; which forms of ISO 8601 is an assumption",
  },
  "not-a-whole-number": {
    title: "a number is not a whole number, or is too large",
    meaning: "Only digits, up to 9007199254740991, which every JSON parser reads exactly.",
    wrong: "duration: 1.5",
    right: "duration: 90",
    basis: "spec 2.1",
  },
  "unknown-service": {
    title: "a service is not in the catalog",
    meaning:
      "A text is a name of the catalog, services: in .incident.yaml or in your profile. incident services list shows it, and incident services import ID adds the services of an incident.",
    wrong: "services: [chekout]",
    right:
      "services: [{ name: Checkout, id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b }]\n# or a name, with these lines in .incident.yaml:\n#   services:\n#     checkout: { id: 3f2b8c1e-5d4a-4e6f-9a7b-1c2d3e4f5a6b, name: Checkout }",
    basis: "a service is an object (spec 2.2); its name in the catalog is a choice of this tool",
  },
  "unset-variable": {
    title: "a variable is not set",
    meaning: "${name} is a value of --var or --vars, never of the environment; ${name:-text} has a default.",
    wrong: "name: Checkout fails in ${region}",
    right: "name: Checkout fails in ${region:-all regions}",
  },
  "bad-variable": {
    title: "a variable is not written correctly",
    meaning: "A name is a letter, then letters, digits, _, - and . The text ${ is written $${.",
    wrong: "name: Checkout costs ${5}",
    right: "name: Checkout costs $${5}",
  },
  "no-input": {
    title: "the input of --vars holds no variables",
    meaning: "It is empty, cut off, or something else than JSON or YAML, such as an error page.",
    wrong: "<html>502 Bad Gateway</html>",
    right: '{"status": "firing", "commonLabels": {"severity": "page"}}',
  },
  "undeclared-variable": {
    title: "a template uses a variable that it does not declare",
    meaning: "The first document declares all, so that a missing value is found before the create.",
    wrong: "variables: {}\n---\nname: Checkout fails in ${region}",
    right:
      "variables:\n  region: { values: { eu: Europe, us: America } }\n---\nname: Checkout fails in ${region}",
  },
  "unused-variable": {
    title: "a template declares a variable that it does not use",
    meaning: "A value for it would change nothing, although a person is asked for it.",
    wrong: "variables:\n  region:\n---\nname: Checkout fails",
    right: "variables: {}\n---\nname: Checkout fails",
  },
  "bad-dedup-key": {
    title: "a template has a dedup key, and its definition an id",
    meaning: "Each incident of a dedup key gets an id of its own, so that the next one can be declared.",
    wrong:
      'dedupKey: "${groupKey}"\nvariables: {}\n---\nid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\nname: Checkout fails',
    right: 'dedupKey: "${groupKey}"\nvariables: {}\n---\nname: Checkout fails',
  },
  "bad-resolve": {
    title: "a template cannot post the end of an alert like this",
    meaning:
      "resolve needs when beside it, because without when every body declares an incident. Its message is the text itself, without variables.",
    wrong: "resolve: { when: { status: resolved } }\nvariables: {}\n---\nname: Checkout fails",
    right:
      "when: { status: firing }\nresolve: { when: { status: resolved } }\nvariables: {}\n---\nname: Checkout fails",
  },
  "no-otherwise": {
    title: "a value of the input can lose an alert",
    meaning:
      "In a template with when or dedupKey, each variable of the definition has a text for every value of the input, and for none: an otherwise. A ${name} in otherwise has a default. Where when allows only values that the variable can write, it needs none.",
    wrong: 'when: { status: firing }\nvariables:\n  summary:\n---\nname: "${summary}"',
    right:
      'when: { status: firing }\nvariables:\n  summary: { otherwise: Checkout fails }\n---\nname: "${summary}"',
  },
  "policy-notify": {
    title: "this severity may not notify subscribers",
    meaning: `notify: in the policy of .incident.yaml lists the severities that may.`,
    wrong:
      "# policy: { notify: [MAJOR] }\nseverity: MINOR\nincidentUpdates: [{ description: Solved., notifySubscribers: true }]",
    right: "severity: MINOR\nincidentUpdates: [{ description: Solved., notifySubscribers: false }]",
  },
  "policy-service": {
    title: "the services break a rule of the policy",
    meaning: `services: in the policy of .incident.yaml lists the services that are allowed.`,
    wrong: "# policy: { services: { allowed: [checkout] } }\nservices: [payments]",
    right: "services: [checkout]",
  },
  "policy-text": {
    title: "a public text breaks a rule of the policy",
    meaning: `name: and description: in the policy of .incident.yaml have maxLength and forbid.`,
    wrong: "# policy: { name: { forbid: [TODO] } }\nname: TODO write a headline",
    right: "name: Checkout fails",
  },
  leak: {
    title: "a public text has internals in it",
    meaning: `A private address, an internal host name, a token, key or password, a mail address, a cloud resource, a pod, a card number, SQL or a stack trace in text from a variable is a warning. In a template, otherwise stands in its place. leaks: warn or forbid in the policy of .incident.yaml covers all texts, and forbid makes it an error. Addresses for everybody, such as support@example.com, are fine.`,
    wrong: "# policy: { leaks: forbid }\nname: Checkout fails on 10.0.0.7",
    right: "name: Checkout fails in Europe",
  },
} satisfies Record<string, Entry>;

export type DiagnosticCode = keyof typeof entries;

export const explanations = Object.fromEntries(
  Object.entries<Entry>(entries).map(([code, entry]) => [
    code,
    { ...entry, basis: entry.basis ?? toolDecision },
  ]),
) as Readonly<Record<DiagnosticCode, Explanation>>;

export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(explanations, text);
}

function aliasBomb(): string {
  const list = (name: string) => `[${Array(10).fill(`*${name}`).join(", ")}]`;
  return `services: [&a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &b ${list("a")}, &c ${list("b")}, &d ${list("c")}, ${list("d")}]`;
}
