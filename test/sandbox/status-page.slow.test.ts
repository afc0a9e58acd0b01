// The status page as a document: its content, and that it escapes the text of incidents.
import { HtmlValidate } from "html-validate";
import { describe, expect, it } from "vitest";
import { createIncident, type Incident } from "../../src/sandbox/incidents.ts";
import { html } from "../../src/sandbox/status-page/html.ts";
import { handleStatusPage } from "../../src/sandbox/status-page/page.ts";
import { createBody, getRequest, openSandbox } from "./requests.ts";

const now = Date.parse("2026-03-10T08:30:00Z");
const random = { guid: () => globalThis.crypto.randomUUID() };

type IncidentOptions = Partial<Pick<Incident, "name" | "severity">> & {
  readonly status?: string;
  readonly at?: string;
  readonly text?: string;
};

function incident({
  name = "An incident",
  severity = "MAJOR",
  status,
  at,
  text = "We look.",
}: IncidentOptions): Incident {
  const update = {
    description: text,
    ...(status && { status }),
    ...(at && { publicIncidentUpdateDate: at }),
  };
  const body = { ...createBody, name, severity, incidentUpdates: [update] };
  return createIncident(body, { id: random.guid(), now, random });
}

function renderPage(incidents: readonly Incident[]): string {
  const request = { method: "GET", url: "http://sandbox/", headers: {} };
  return Buffer.from(handleStatusPage(request, () => incidents)?.body ?? "").toString();
}

/** The visible text of the page. */
function textOf(page: string): string {
  const body = page.slice(page.indexOf("<body>")).replace(/<[^>]*>/g, " ");
  return body.replace(/[^\S\n]+/g, " ");
}

const hostile = `<img src=x onerror="alert(1)">&amp;'\`\${x}</style></title>\u0000\u0007\ud800\ufffe`;
const several = [
  incident({ name: "Over", status: "RESOLVED", at: "2026-03-08T10:00:00Z" }),
  incident({ name: "Small", severity: "MINOR" }),
  incident({ name: "Worst", severity: "CRITICAL", status: "IDENTIFIED" }),
  incident({ name: hostile, text: hostile }),
];

describe("content of the page", () => {
  it("shows the status of an incident once", () => {
    const text = textOf(renderPage([incident({ status: "IDENTIFIED" })]));
    expect(text.match(/Identified/g)).toHaveLength(1);
  });

  it("states that everything is running if no incident is open", () => {
    for (const incidents of [[], several.slice(0, 1)]) {
      const page = renderPage(incidents);
      expect(page).toContain("<title>Everything is running · Status</title>");
      expect(page).toContain('data-severity="NONE"');
      expect(page).not.toContain("Open now");
    }
  });

  it("lists open incidents first, by severity, and then resolved ones", () => {
    const text = textOf(renderPage(several));
    const order = "3 open incidents|Open now|Worst|Small|History|Over|8 March 2026".split("|");
    // Each part comes after the previous one.
    let rest = text;
    for (const part of order) {
      expect(rest).toContain(part);
      rest = rest.slice(rest.indexOf(part) + part.length);
    }
  });

  it("shows the newest update first, with the time in UTC", () => {
    const updates = [
      { description: "first", publicIncidentUpdateDate: "2026-03-10T07:00:00+01:00" },
      {
        description: "second",
        status: "IDENTIFIED",
        notifySubscribers: true,
        publicIncidentUpdateDate: "2026-03-10T07:00:00Z",
      },
      { description: "third", publicIncidentUpdateDate: "2026-03-10T07:00:00Z" },
    ];
    const body = { ...createBody, incidentUpdates: updates };
    const page = renderPage([createIncident(body, { id: random.guid(), now, random })]);
    expect(page.indexOf("third")).toBeLessThan(page.indexOf("second"));
    expect(page.indexOf("second")).toBeLessThan(page.indexOf("first</p>"));
    expect(page).toContain('<time datetime="2026-03-10T06:00:00.000Z">10 March 2026 at 06:00 UTC</time>');
    expect(page.match(/Subscribers notified/g)).toHaveLength(1);
  });

  it("limits its size with ten thousand incidents, and states how many it hides", () => {
    const many = Array.from({ length: 10_000 }, (_, n) =>
      incident({ name: `n${n}`, status: n % 2 === 0 ? "RESOLVED" : "MONITORING" }),
    );
    const page = renderPage(many);
    expect(page).toContain("5000 open incidents");
    expect(page.match(/and 4950 more/g)).toHaveLength(2);
    expect(page.length).toBeLessThan(500_000);
  });
});

describe("markup of the page", () => {
  it.each([
    ["empty", []],
    ["full", several],
  ] as const)("is correct HTML: %s", async (_name, incidents) => {
    const validator = new HtmlValidate({
      extends: ["html-validate:recommended", "html-validate:a11y"],
      rules: {
        // The document's own layout, and short spellings that HTML allows.
        "no-trailing-whitespace": "off",
        "doctype-style": "off",
        // A page without scripts has only this way to stay live (in noscript).
        "meta-refresh": "off",
        // A list may have a name.
        "aria-label-misuse": ["error", { allowAnyNamable: true }],
      },
    });
    const report = await validator.validateString(renderPage(incidents));
    const messages = report.results.flatMap(({ messages }) => messages);
    expect(messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`)).toEqual([]);
  });

  it("escapes all text, and replaces characters that HTML forbids", () => {
    const page = renderPage(several);
    expect(page).not.toContain("<img");
    expect(page).toContain("&#60;img src=x onerror=&#34;alert(1)&#34;&#62;&#38;amp;&#39;");
    expect(page).not.toContain("</style>");
    expect([...page].some((character) => "\u0000\u0007\ud800\ufffe".includes(character))).toBe(false);
  });

  it("escapes every value of a template except for a nested template", () => {
    const page = html`<p title="${'"'}">${["<", html`<b>${"&"}</b>`, 5, undefined]}</p>`;
    expect(page.html).toBe('<p title="&#34;">&#60;<b>&#38;</b>5</p>');
  });

  it("loads no resource but its stylesheet and its script", () => {
    const own = /<script src="\/live.js" defer><\/script>|<link rel="stylesheet" href="\/style.css">/g;
    expect(renderPage(several).replace(own, "")).not.toMatch(
      /https?:|url\(|@import|<script|<link|<iframe|<[^>]*\s(?:style|on\w+)=/,
    );
  });
});

describe("handleStatusPage", () => {
  const read = async (path: string) => {
    const { sandbox } = openSandbox({ rateLimit: { requests: 1, seconds: 60 }, faults: ["any:503"] });
    const outcome = await sandbox.transport({ ...getRequest(path), headers: {} }, { deadline: 1000 });
    if (outcome.phase !== "answered") throw new Error(outcome.detail);
    return {
      ...outcome,
      text: Buffer.from(outcome.body).toString(),
      requests: sandbox.statistics().requests,
    };
  };

  it("needs no key, is subject to no fault, and does not count as an API request", async () => {
    const { status, headers, requests } = await read("/");
    expect({ status, requests }).toEqual({ status: 200, requests: 0 });
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
  });

  it("has a stylesheet and a script, and reloads without scripting", async () => {
    const { text } = await read("/");
    expect(text).toContain('<script src="/live.js" defer></script>');
    expect(text).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>');
    expect((await read("/live.js")).headers["content-type"]).toMatch("text/javascript");
    expect((await read("/style.css")).headers["content-type"]).toMatch("text/css");
  });
});
