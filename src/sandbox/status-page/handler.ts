// The status page at / for whoever watches a rehearsal, and the script that keeps it live. Neither is part of
// the API: they want no key, use up no limit, and no fault strikes them.

import type { Incident } from "../create-incident.ts";
import { type Answer, encode } from "../response.ts";
import { pathOf, type ReceivedRequest } from "../route.ts";
import { liveScript } from "./live.ts";
import { policyOf, renderPage } from "./page.ts";

const livePath = "/live.js";

/** Answers a request for the page or its script; nothing for any other. */
export function answerWatcher(
  request: ReceivedRequest,
  incidents: () => readonly Incident[],
  now: number,
): Answer | undefined {
  if (request.method !== "GET") return undefined;
  const path = pathOf(request.url);
  if (path === livePath) return answer("text/javascript; charset=utf-8", liveScript);
  if (path !== "/") return undefined;
  const page = renderPage(incidents(), {
    now,
    notice: "This is a rehearsal: a sandbox on one machine. No customer sees it.",
    live: livePath,
  });
  return answer("text/html; charset=utf-8", page);
}

function answer(type: string, text: string): Answer {
  return {
    status: 200,
    headers: {
      "content-type": type,
      "content-security-policy": `${policyOf(livePath)}; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    },
    body: encode(text),
  };
}
