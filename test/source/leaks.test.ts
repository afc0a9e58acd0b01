// Internals in texts for customers: few false alarms, and the known forms are found.
import { describe, expect, it } from "vitest";
import { findLeaks } from "../../src/source/warnings.ts";

const fine = `Payments fail for customers in Europe
Version 10.2.0.1 of the app cannot log in
The release v10.0.0.7 is rolled back
We rolled back from 4.12.0 to 4.11.3
Since 09:12 UTC every request fails
Between 10:30 and 11:45 some orders were late
From 2026-03-01T09:30:00Z on, uploads fail
5 % of requests to api.example.com fail
See https://status.example.com/incidents/42
Webhooks to https://hooks.example.com:8443/orders are late
The API at api.example.com:443 answers slowly
Write to support@example.com
Questions? status@example.com answers them
Reports go to security@example.com, abuse@example.com or no-reply@example.com
A charge of $10.20 was booked twice
Orders over 1,000.00 EUR are refused
The error is 503: Service Unavailable
Ticket 4711:23 is closed
Error:5003 is shown at the checkout
error-code:5003 is shown at the checkout
order-id:123456 was charged twice
The ratio is 3:1 for writes
p99:1200 ms, p50:80 ms
The latency rose from 200 ms to 1.4 s
Firmware 172.5.1.2 is affected
The address 8.8.8.8 is reachable
DNS answers from 1.1.1.1 are late
The range 203.0.113.0/24 is announced again
2001:db8::1 is reachable again
Times are local. Internal tools are not affected.
Our internal dashboards are fine
The local cache was cleared
Customers of the region eu-west-1 are affected
us-east-1: 12 % of requests fail
The internal server error is gone
Please reset your password at https://example.com/reset
Your password: ask an administrator to reset it
An expired token is refused with 401
The API key in your settings stays valid
Secrets are not affected
token=... in a link has no effect
password=**** is what the page shows
Look at 10:00:00 and 10:00:10 in the graph
The icon@2x.png is missing on the page
Upgrade to react@18.2.0 or later
The build at commit 3f2b8c1e is rolled back
sha256:3f2b8c1e5d4a4e6f9a7b1c2d3e4f5a6b is the digest
Incident 7c9e6679-7425-40de-944b-e07fc1f90ae7 goes on
Windows 10.0.19045.3570 is affected
Chapter 10.4 of the manual says more
Trains at 10.15 and 10.45 are late
We looked at the logs at length
The team is at work (see the update at 10:15)
It happens at checkout (step 3: payment)
File uploads, line items and totals are wrong
The sk-learn based search is slow
The Bearer scheme is refused
Use https://example.com/?page=2 until then
The .local folder of the app can be deleted
The key AKIA is no key of yours`.split("\n");

/** The forms of keys are put together here, so that no search for keys finds one in this file. */
const key = (...parts: readonly string[]) => parts.join("");
const letters = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5";

const leaking: readonly (readonly [what: string, text: string])[] = [
  ["a private address", "10.0.0.7 does not answer"],
  ["a private address", "Checkout fails on 10.1.2.3:9100"],
  ["a private address", "instance=192.168.1.20"],
  ["a private address", "http://172.16.4.9/metrics is down"],
  ["a private address", "172.31.255.254 is unreachable."],
  ["a private address", "127.0.0.1 refused the connection"],
  ["a private address", "169.254.169.254 timed out"],
  ["a private address", "(10.255.255.1)"],
  ["a private address", "dial tcp 10.2.3.4:5432: connect: connection refused"],
  ["a private address", "fd12:3456:789a::1 is down"],
  ["a private address", "fe80::1ff:fe23:4567:890a does not answer"],
  ["a private address", "10.0.0.0/8 is blocked"],
  ["an internal host name", "db-17.internal is down"],
  ["an internal host name", "The host ip-10-0-0-7.eu-west-1.compute.internal is down"],
  ["an internal host name", "printer.local does not answer"],
  ["an internal host name", "checkout.default.svc.cluster.local:8080 refused"],
  ["an internal host name", "nas.lan is full"],
  ["an internal host name", "web.localdomain is slow."],
  ["an internal host name", "https://grafana.prod.internal/d/abc"],
  ["an internal host name", "db-17:5432 refused the connection"],
  ["an internal host name", "redis:6379 is full"],
  ["an internal host name", "localhost:3000 is down"],
  ["an internal host name", "web1:8080 answers 503"],
  ["an internal host name", "worker-3:9100 is down"],
  ["an internal host name", "checkout-api:8080 answers slowly"],
  ["an internal host name", "kafka:9092 has a lag"],
  ["an internal host name", "http://jenkins/job/deploy failed"],
  ["an internal host name", "see http://prometheus:9090/graph"],
  ["an internal host name", "[http://wiki/runbook]"],
  ["an internal host name", "search-02:9200 is red"],
  ["a token or key", `key ${key("AKIA", "QWERTYUIOPASDFGH")} is refused`],
  ["a token or key", `${key("ASIA", "QWERTYUIOPASDFGH")}`],
  ["a token or key", `clone with ${key("gh", "p_", letters)} failed`],
  ["a token or key", `${key("github", "_pat_", letters)}`],
  ["a token or key", `${key("gl", "pat-", letters.slice(0, 20))}`],
  ["a token or key", `slack ${key("xo", "xb-123456789012-", letters)}`],
  ["a token or key", `${key("sk_", "live_", letters)} was declined`],
  ["a token or key", `${key("rk_", "test_", letters)}`],
  ["a token or key", `maps ${key("AI", "za", letters.slice(0, 35))}`],
  ["a token or key", `${key("np", "m_", letters)}`],
  ["a token or key", `${key("sk-", "proj-", letters)}`],
  ["a token or key", `jwt ${key("ey", "JhbGciOiJIUzI1NiJ9", ".ey", "JzdWIiOiIxMjM0In0.abc")}`],
  ["a token or key", `${key("-----BEGIN ", "RSA PRIVATE KEY-----")}`],
  ["a token or key", `Authorization: Bearer ${letters}`],
  ["a token or key", `https://${key("hooks.slack", ".com/services/T01ABCDEF/B01ABCDEF/")}${letters}`],
  ["a password", `postgres://app:${key("hun", "ter22")}@db.example.com/orders failed`],
  ["a password", `https://deploy:${key("sec", "ret99")}@git.example.com/x.git`],
  ["a password", `password=${key("hun", "ter22")} was wrong`],
  ["a password", `https://api.example.com/v1?api_key=${letters}`],
  ["a mail address", "ada.lovelace@example.com was charged twice"],
  ["a mail address", "user j.doe+test@mail.example.org cannot log in"],
  ["a mail address", "on call: oncall-checkout@example.com"],
  ["a stack trace", "Traceback (most recent call last): ..."],
  ["a stack trace", 'File "/srv/app/main.py", line 12, in pay'],
  ["a stack trace", "TypeError: x is undefined at pay (/srv/app/pay.js:12:7)"],
  ["a stack trace", "at async /srv/app/pay.js:12:7"],
  ["a stack trace", "at com.example.Pay.run(Pay.java:42)"],
  ["a stack trace", 'Exception in thread "main" java.lang.NullPointerException'],
  ["a stack trace", "goroutine 1 [running]: main.pay()"],
  ["a stack trace", "panic: runtime error: index out of range"],
];

describe("a text for customers", () => {
  it.each(fine)("is fine: %s", (text) => {
    expect(findLeaks(text)).toEqual([]);
  });

  it.each(leaking)("has %s: %s", (what, text) => {
    expect(findLeaks(text).map((leak) => leak.what)).toEqual([what]);
  });

  it("is one of sixty in each table", () => {
    expect([
      fine.length,
      leaking.length,
      new Set([...fine, ...leaking.map(([, text]) => text)]).size,
    ]).toEqual([60, 60, 120]);
  });

  it("has all of its leaks found", () => {
    const text = "worker-3:9100 on 10.0.0.7: mail ada@example.com";
    expect(findLeaks(text).map((one) => one.text)).toEqual(["10.0.0.7", "worker-3:9100", "ada@example.com"]);
  });
});
