import { describe, expect, it } from "vitest";
import { answer, incidentId as id } from "../harness/builders.ts";
import { incident } from "../harness/incident.ts";

async function markdown(...bodies: object[]): Promise<string> {
  let next = 0;
  const { stdout } = await incident(`get ${bodies.map(() => id).join(" ")} -o markdown`, {
    transport: async () => answer({ id, ...bodies[next++] }),
  });
  return stdout;
}

const full = {
  name: "Checkout fails",
  severity: "MAJOR",
  lastUpdateStatus: "MONITORING",
  services: [{ name: "Checkout" }, { name: "Payments" }],
  created_at: "2026-11-20",
  incidentUpdates: [
    { status: "INVESTIGATING", description: "First.", publicIncidentUpdateDate: "2026-11-20T06:00:00Z" },
    {
      status: "MONITORING",
      description: "Second.\n\nWith a paragraph.",
      publicIncidentUpdateDate: "2026-11-20T08:30:00+01:00",
      notifySubscribers: true,
    },
  ],
};

describe("an incident as Markdown", () => {
  it("has the time between two updates, from their own timestamps", async () => {
    const at = (time: string) => `2026-11-20T${time}Z`;
    const updates = [
      { status: "RESOLVED", description: "d", publicIncidentUpdateDate: at("08:20:05") },
      { status: "INVESTIGATING", description: "a", publicIncidentUpdateDate: at("07:00:00") },
      { status: "IDENTIFIED", description: "b", publicIncidentUpdateDate: at("07:12:30") },
    ];
    const text = await markdown({ ...full, incidentUpdates: updates });
    expect(text).toContain("**RESOLVED** · 2026-11-20 08:20 UTC · after 1 h 7 m\n");
    const dayOnly = [{ status: "IDENTIFIED", description: "c", created_at: "2026-11-20" }];
    expect(await markdown({ ...full, incidentUpdates: dayOnly })).not.toContain("after");
  });

  it("is a section with facts and a timeline, newest first, in UTC", async () => {
    expect(await markdown(full)).toBe(`## Checkout fails

- **Status:** MONITORING
- **Severity:** MAJOR
- **Services:** Checkout, Payments
- **Created:** 2026-11-20
- **Id:** ${id}

**MONITORING** · 2026-11-20 07:30 UTC · after 1 h 30 m · subscribers notified

> Second.
>
> With a paragraph.

**INVESTIGATING** · 2026-11-20 06:00 UTC

> First.
`);
  });

  it.each([
    ["a heading", "# Free", "\\# Free"],
    ["a list", "- one", "\\- one"],
    ["a numbered list", "1. one", "1\\. one"],
    ["the underline of a heading", "====", "\\===="],
    ["emphasis", "*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~"],
    ["code", "`rm`", "\\`rm\\`"],
    ["a link", "[here](https://evil.example)", "\\[here\\](https://evil.example)"],
    ["a picture", "![x](y)", "!\\[x\\](y)"],
    ["HTML", "<script>&amp;", "\\<script\\>\\&amp;"],
    ["a table", "a | b", "a \\| b"],
    ["an escape", "\\# x", "\\\\\\# x"],
    ["indented code", "    code", "code"],
    ["a mention", "ask @here now", "ask @\u200bhere now"],
    ["an address", "to a@b.example", "to a@b.example"],
    ["a control character", "\u001b[2J", "\\\\u{1b}\\[2J"],
  ])("escapes %s", async (_, text, shown) => {
    const out = await markdown({ name: text, incidentUpdates: [{ description: text }] });
    expect(out).toContain(`## ${shown}\n`);
    expect(out).toContain(`> ${shown}\n`);
  });

  it("keeps every text inside its field", async () => {
    const text = "a\n\n## b\n> c\n```";
    const out = await markdown({
      name: text,
      severity: text,
      services: [{ name: text }],
      incidentUpdates: [{ description: text, status: text }],
    });
    const headings = out.split("\n").filter((line) => line.startsWith("#"));
    expect(headings).toHaveLength(1);
    expect(out).not.toMatch(/^```/m);
  });

  it("has a section for each incident", async () => {
    const out = await markdown({ name: "One" }, { name: "Two" });
    expect(out.match(/^## /gm)).toHaveLength(2);
    expect(out).toContain("\n\n## Two");
  });
});
