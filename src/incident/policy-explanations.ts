// Explanations of the codes about the policy of a project.
import { type Explanation, toolDecision } from "./text-explanations.ts";

const override =
  "In an emergency, create and apply go on with --override-policy REASON, which the journal keeps.";

export const policyExplanations = {
  "policy-notify": {
    title: "this severity may not notify subscribers",
    meaning: `notify: in the policy of .incident.yaml lists the severities that may. ${override}`,
    wrong:
      "# policy: { notify: [MAJOR] }\nseverity: MINOR\nincidentUpdates: [{ description: Solved., notifySubscribers: true }]",
    right: "severity: MINOR\nincidentUpdates: [{ description: Solved., notifySubscribers: false }]",
    basis: toolDecision,
  },
  "policy-service": {
    title: "the services break a rule of the policy",
    meaning: `services: in the policy of .incident.yaml lists the services that are allowed, and those that belong together. ${override}`,
    wrong: "# policy: { services: { together: [[checkout, payments]] } }\nservices: [checkout]",
    right: "services: [checkout, payments]",
    basis: toolDecision,
  },
  "policy-text": {
    title: "a public text breaks a rule of the policy",
    meaning: `name: and description: in the policy of .incident.yaml have maxLength, pattern and forbid. ${override}`,
    wrong: "# policy: { name: { forbid: [TODO] } }\nname: TODO write a headline",
    right: "name: Checkout fails",
    basis: toolDecision,
  },
  "policy-first-status": {
    title: "an incident may not begin with this status",
    meaning: `firstStatus: in the policy of .incident.yaml lists the statuses of a first update. ${override}`,
    wrong:
      "# policy: { firstStatus: [INVESTIGATING] }\nincidentUpdates: [{ description: Solved., status: RESOLVED }]",
    right: "incidentUpdates: [{ description: We are looking., status: INVESTIGATING }]",
    basis: toolDecision,
  },
  leak: {
    title: "a public text has internals in it",
    meaning: `A private address, an internal host name, a token, key or password, a mail address or a stack trace in text from a variable is a warning. leaks: warn or forbid in the policy of .incident.yaml covers all texts, and forbid makes it an error. Addresses for everybody, such as support@example.com, are fine. ${override}`,
    wrong: "name: Checkout fails on 10.0.0.7",
    right: "name: Checkout fails in Europe",
    basis: toolDecision,
  },
} satisfies Record<string, Explanation>;
