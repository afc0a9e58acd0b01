// The messages for a project's file with a value of another kind: the node, and an example of the file.
import { expect, it } from "vitest";
import { incident } from "../harness/incident.ts";

it.each([
  [
    "- profile: x\n",
    "1:1",
    'write its fields, each as "name: value" on a line of its own: profile, definitions, templates, services, policy',
  ],
  ["definitions: incidents\n", "1:14", 'write a list: each entry on a line of its own, after "- "'],
  ["services: {}\nprofile: [x]\n", "2:10", "write text here"],
])("an invalid .incident.yaml is refused at its node, with an example: %j", async (file, at, hint) => {
  const { exitCode, stderr } = await incident("config show", { files: { ".incident.yaml": file } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`.incident.yaml:${at}: error: `);
  expect(stderr).toContain(`  fix: ${hint}\n`);
  expect(stderr).toContain(`  next: correct the problems above; nothing was sent
    # .incident.yaml
    profile: production
    definitions: [incidents]
    services:
      checkout: { id: CHANGEME, name: Checkout }
`);
});
