// Serves the status page at / and the script that keeps it live. Both are outside of the API: they need no key, and no
// rate limit or fault applies to them.
import type { Incident } from "../create-incident.ts";
import { encode, type ServiceResponse } from "../response.ts";
import { pathOf, type ReceivedRequest } from "../route.ts";
import { contentSecurityPolicy, renderPage } from "./page.ts";

const scriptPath = "/live.js";

/** Returns undefined for a request that is for neither the page nor its script. */
export function handleStatusPage(
  request: ReceivedRequest,
  incidents: () => readonly Incident[],
): ServiceResponse | undefined {
  if (request.method !== "GET") return undefined;
  const path = pathOf(request.url);
  if (path === scriptPath) return createResponse("text/javascript; charset=utf-8", liveScript);
  if (path !== "/") return undefined;
  const page = renderPage(incidents(), {
    notice: "This is a rehearsal: a sandbox on one machine. No customer sees it.",
    scriptPath,
  });
  return createResponse("text/html; charset=utf-8", page);
}

function createResponse(contentType: string, text: string): ServiceResponse {
  return {
    status: 200,
    headers: {
      "content-type": contentType,
      "content-security-policy": `${contentSecurityPolicy(scriptPath)}; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
    body: encode(text),
  };
}

const liveScript = `"use strict";
const interval = 1000;
const main = document.querySelector("main");
const connection = document.querySelector("[data-connection]");
let current = main.innerHTML;
const wait = () => new Promise((resolve) => setTimeout(resolve, interval));

async function refresh() {
  const response = await fetch("/", { cache: "no-store" });
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const latest = next.querySelector("main");
  if (latest.innerHTML === current) return;
  current = latest.innerHTML;
  for (const { id } of main.querySelectorAll("details[open]")) {
    next.getElementById(id)?.setAttribute("open", "");
  }
  document.title = next.title;
  main.replaceChildren(...latest.childNodes);
}

async function live() {
  for (;;) {
    await wait();
    if (document.hidden) continue;
    const isReached = await refresh().then(() => true, () => false);
    document.body.dataset.connection = isReached ? "live" : "lost";
    connection.textContent = isReached ? "Live" : "The sandbox has ended";
  }
}
live();
`;
