// The status page in a real browser: live updates, layout at two widths and in both color schemes, and accessibility.
// If SCREENSHOTS names a folder, screenshots are written to it.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/app.ts";
import { type SandboxServer, serveSandbox } from "../../src/sandbox/server.ts";
import { isMissing } from "../harness/programs.ts";
import { createBody, createRequest, openSandbox } from "./requests.ts";

const candidates = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const executable = candidates.find((path) => path !== undefined && path !== "" && existsSync(path));
const axe: { readonly source: string } = createRequire(import.meta.url)("axe-core");

const update = (description: string, status: string, at: string, notifySubscribers = false) => ({
  description,
  status,
  publicIncidentUpdateDate: `2026-03-${at}Z`,
  notifySubscribers,
});
const services = (...names: string[]) => names.map((name) => ({ ...createBody.services[0], name }));

const outage = {
  name: "Public API returns errors for all requests",
  severity: "CRITICAL",
  services: services("Public API", "Webhooks", "Dashboard"),
  incidentUpdates: [
    update(
      "Since 08:02 UTC every request has been answered with an error.\n\nScheduled jobs are kept.",
      "INVESTIGATING",
      "10T08:05:00",
      true,
    ),
    update("A certificate expired. We are putting a new one in place.", "IDENTIFIED", "10T08:21:00"),
  ],
};
const others = [
  {
    ...outage,
    name: "Reports are delayed",
    severity: "MEDIUM",
    services: services("Reporting"),
    incidentUpdates: [update("Reports arrive up to twenty minutes late.", "MONITORING", "10T07:40:00")],
  },
  {
    ...outage,
    name: "Card payments are declined",
    severity: "MAJOR",
    services: services("Checkout"),
    incidentUpdates: [
      update("One card network declines.", "IDENTIFIED", "07T10:00:00"),
      update("Payments work again.", "RESOLVED", "07T12:00:00", true),
    ],
  },
  {
    ...outage,
    name: "Search misses new pages",
    severity: "MINOR",
    services: services("Search"),
    incidentUpdates: [update("The index was rebuilt.", "RESOLVED", "01T12:00:00")],
  },
];

describe.skipIf(executable === undefined && isMissing("chromium"))(
  "the status page in Chromium (Debian's package, or the one that CHROMIUM names)",
  () => {
    let browser: Browser;
    let server: SandboxServer;
    let sandbox: Sandbox;

    const declare = (body: object) => sandbox.transport(createRequest(body), { deadline: 1000 });

    async function open(options: BrowserContextOptions): Promise<Page> {
      const page = await browser.newPage(options);
      page.setDefaultTimeout(250_000);
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => problems.push(message.text()));
      await page.goto(server.url);
      return page;
    }
    const problems: string[] = [];

    beforeAll(async () => {
      ({ sandbox } = openSandbox());
      for (const body of others) await declare(body);
      server = await serveSandbox(sandbox);
      // Chromium's own sandbox does not run as root.
      const args = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ];
      browser = await chromium.launch({ executablePath: executable as string, args, timeout: 250_000 });
    });
    afterAll(async () => {
      await browser?.close();
      await server?.close();
    });

    it("shows a new incident without a reload", async () => {
      const page = await open({ viewport: { width: 1280, height: 900 } });
      await page.getByRole("heading", { level: 1, name: "1 open incident" }).waitFor();
      await declare(outage);
      await page.getByRole("heading", { level: 3, name: outage.name }).waitFor();
      expect(await page.title()).toBe("2 open incidents · Status");
      expect(await page.getByText("Live", { exact: true }).isVisible()).toBe(true);
      expect(problems).toEqual([]);
      await page.close();
    });

    it.each([
      [390, "light"],
      [390, "dark"],
      [1280, "light"],
      [1280, "dark"],
    ] as const)("is accessible and fits at %i pixels, %s", async (width, colorScheme) => {
      const page = await open({ viewport: { width, height: 844 }, colorScheme });
      await page.getByText("Live", { exact: true }).waitFor();
      await page.evaluate(axe.source);
      const violations = await page.evaluate(`axe.run({ resultTypes: ["violations"] }).then((found) =>
      found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(" "))))`);
      expect(violations).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
      expect(problems).toEqual([]);
      const folder = process.env.SCREENSHOTS;
      if (folder)
        await page.screenshot({ path: join(folder, `status-${width}-${colorScheme}.png`), fullPage: true });
      await page.close();
    });
  },
);
