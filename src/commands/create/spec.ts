// The command line and the help of `incident create`.
import { defineCommand } from "../../kit/define-command.ts";
import { flag, inGroup } from "../../kit/flags.ts";
import {
  confirmFlags,
  definitionFlags,
  emergencyFlags,
  fieldFlags,
  journalFlags,
  notifyFlags,
} from "../../kit/shared-flags.ts";

export const spec = defineCommand({
  name: "create",
  operands: "[file...]",
  completions: "files",
  flags: {
    ...inGroup("What", fieldFlags),
    ...inGroup("From where", {
      ...definitionFlags,
      template: flag.text(
        "--template <name>",
        "a template of this project, with its variables; see incident templates list",
      ),
    }),
    ...inGroup("Identity", {
      key: flag.text(
        "--key <text>",
        "identify the incident: every run with the same text declares the same one",
      ),
      dedupKey: flag.text(
        "--dedup-key <text>",
        "one open incident for this text: while it is open, answer with it; once resolved, declare another",
      ),
    }),
    ...inGroup("Notify and preview", {
      ...notifyFlags,
      dryRun: flag.switch("--dry-run", "print the request and send nothing; -o curl prints it as a command"),
      ...confirmFlags,
    }),
    ...inGroup("In an emergency", {
      new: flag.switch(
        "--new",
        "declare another incident, even if the same one is open, unfinished or has no known outcome",
      ),
    }),
    ...journalFlags,
    ...emergencyFlags,
  },
  result: "incidents",
  modes: { dryRun: "requests" },
  examples: {
    "incident create": "at a terminal: asks for everything",
    "incident create -f checkout.yaml": "declare an incident",
    "id=$(incident create -f checkout.yaml -o id)": "keep its id",
    "incident create -f incidents/ -R": "every definition in a folder and its sub-folders",
    "generate | incident create -f -": "from another program",
    "incident create --name 'Checkout fails' --severity major --service checkout --message 'We are on it.'":
      "without a file",
    "incident create --template checkout --var region=eu --dedup-key checkout-eu":
      "from an alert that fires again and again: one open incident",
    "incident create -f checkout.yaml --started-at -20m": "it began before it was declared",
    "incident create -f checkout.yaml --dry-run": "see the request and its digest first",
    "incident create -f checkout.yaml --confirm sha256:DIGEST": "send only what that preview showed",
  },
  notes:
    "Every file is checked before the first request. After an error in any file, nothing is " +
    "sent. A flag overrides the field of the file.\n" +
    "Afterwards, incident update and incident resolve post the next updates, where the service's document describes it.",
});
