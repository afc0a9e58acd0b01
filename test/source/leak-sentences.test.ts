// The leaks that alerts bring, and sentences as status pages publish them, which must have none.
import { expect, it } from "vitest";
import { findLeaks } from "../../src/source/warnings.ts";

it.each([
  ["a cloud resource", "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:checkout-5xx is in ALARM"],
  ["a cloud resource", "The instance i-0abc1234def567890 fails its check"],
  ["a cloud resource", "Budget alarm in AWS account 123456789012"],
  ["an internal host name", "High load (ip-10-0-3-12.ec2)"],
  ["the name of a pod", "Pod checkout-api-7d9f8b6c5d-x2k4p is restarting"],
  ["a statement of SQL", "Timeout: SELECT id, total FROM orders WHERE id = 7"],
  ["a statement of SQL", "Deadlock in UPDATE orders SET total = 0"],
])("finds %s in %s", (what, text) => {
  expect(findLeaks(text).map((leak) => leak.what)).toContain(what);
});

const sentences = `We are investigating reports of failed payments.
Some customers in Europe cannot log in.
A fix has been implemented and we are monitoring the results.
This incident has been resolved.
Between 09:15 and 10:42 UTC, 12,345 requests failed.
The update from our provider is expected at 14:00 UTC.
Customers may select a different region from the settings page.
Please select another payment method from the list while we work on this.
We will update this page and set a new time for the next update.
Update: we have set the affected cluster aside.
You can delete messages from your inbox again.
We delete data from old backups as planned.
Insert into the reader any card that has a chip.
Version 10.2.1.4 of the desktop app crashes at start.
Version 2026.11.24 of the agent fixes the problem.
Elevated error rates in us-east-1 and eu-west-1.
Delays in the delivery of e-mail, SMS and push notifications.
If you need help, write to support@example.com.
Follow @examplestatus for updates.
The API returns 503 for about 5 % of requests.
Our ticket INC-20261124-0042 tracks this incident.
Reference number 4000123412 helps our support to find your case.
Order numbers such as 123456789012 are shown with a delay.
Call us at +49 30 1234 5678 90 if you need help now.
Call 1-800-555-0199 for urgent requests.
Card payments with Visa and Mastercard are declined.
American Express payments are slow.
The error code is ERR-4111-22.
Webhooks sent after 2026-11-24T09:15:00Z may be delivered twice.
The maintenance takes place from 22:00 to 23:30 CET.
Our sub-processor has a network problem in Frankfurt.
Users of single-sign-on see an error page.
The read-only mode ends at noon.
Real-time dashboards show stale data.
Two-factor-authentication codes arrive late.
The end-to-end-encryption of calls is not affected.
We have rolled back the change of the load-balancer.
State-of-the-art caches are being warmed up again.
Build jobs on macos-14 and ubuntu-24-04 wait in the queue.
Clients older than node-20 cannot connect.
Invoices 2026-001 to 2026-118 are late.
HTTP/2 connections are reset after 60 s.
The status of i-Phone widgets is wrong.
The i-95 region of the traffic map is empty.
Exports in vpc-style diagrams are missing icons.
Search results at https://shop.example.com/search are incomplete.
Go to https://status.example.com for the history of this incident.
We see 100 % packet loss between Paris and London.
The DNS records of customers resolve again.
Image uploads above 10.5 MB fail.
Restores from snapshots are slow.
The account of each customer is safe, and no data was lost.
Account balances are shown with a delay of 12 minutes.
Project imports from other tools fail.
A certificate expired at midnight, and we have replaced it.
The database was switched to its replica, and queries are fast again.
Queue times of hosted runners exceed 15 minutes.
A power failure in one data center affects a part of our customers.
The root cause is a faulty switch in rack 12.
We apologize for the disruption and will publish a report within 5 days.
Gift cards with 16 digits cannot be redeemed.
The numbers 4 8 15 16 23 42 are drawn again tomorrow.
Tracking number 1234 5678 9012 is shown as delivered too early.
Deployments of 24-11-2026 were rolled back.
Our team in Lisbon is on it.
Requests to api.example.com in us-east-1 time out after 30 seconds.
The webhook endpoint hooks.example.com answers again.
Login at app.example.com fails with error code AUTH-1042.
Please upgrade to agent 7.58.1 or later, which contains the fix.
Build 20261124.3 is available, and resolves the crash on Android 15.
Jobs that use the ubuntu-22.04 image start with a delay of up to 25 minutes.
Virtual machines in europe-west3-b restarted at 04:12 CET.
The zones us-central1-a and us-central1-f have recovered.
Traffic is routed from FRA1 to AMS3 while we replace a router.
See ticket SUP-48213 for the details that we sent to affected customers.
Change request CHG0041275 was completed without an impact.
Case 00987654 is closed; reply to it if you still see problems.
The incident is tracked as #20261124-7 in our records.
The vulnerability CVE-2026-12345 does not affect our service.
Write to us at help@example.com if your invoice is wrong.
You can reach the security team at security@example.com.
No passwords, tokens or keys were exposed.
API tokens that you created on Monday stay valid.
The token endpoint returns invalid_grant for some refresh requests.
Rotate your key if you see the message "signature expired".
We have rotated our signing keys as a precaution.
Invoice 4471-2026-000123 and later ones have the wrong date.
Orders with numbers above 7000000 are not shown in the list.
The order 8412-5567-0091 in our example is not affected.
IBAN checks for some countries fail.
Barcodes such as 4006381333931 cannot be scanned in the app.
Search for "select from list" shows no result.
We select a new leader and update each replica, then set the weight back.
Please update the app and set the region again.
The button "Delete from basket" has no effect.
Please insert the card into the reader again.
You can alter the table of contents again.
Queries that join more than 3 tables time out.
The runner pool for arm64 is at capacity.
The addresses 203.0.113.10 and 203.0.113.11 are added to our list for firewalls.`.split("\n");

/** The sentences that raise an alarm, with what each kind says of them. */
function alarmsIn(texts: readonly string[]) {
  return texts.flatMap((text) =>
    findLeaks(text).map(({ what, text: part }) => `${what}: ${part} in: ${text}`),
  );
}

it("raises no false alarm of any kind on a hundred sentences of status pages", () => {
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences.length).toBeGreaterThanOrEqual(100);
  expect(alarmsIn(sentences)).toEqual([]);
});

// A text with these is published by mistake more often than not, or what is meant cannot be told from its form.
it("raises an alarm that a person may find needless", () => {
  expect(
    alarmsIn([
      "Use 10.0.0.0/8 in the example of the tutorial, and 192.168.1.1 for the address of your own router.",
      "Write to anna.lee@example.com, who coordinates the migration.",
      "Connect to localhost:3000 in the local preview.",
      "The log shows SQLSTATE 57014 for queries that were cancelled.",
    ]),
  ).toMatchInlineSnapshot(`
    [
      "a private address: 10.0.0.0 in: Use 10.0.0.0/8 in the example of the tutorial, and 192.168.1.1 for the address of your own router.",
      "a mail address: anna.lee@example.com in: Write to anna.lee@example.com, who coordinates the migration.",
      "an internal host name: localhost:3000 in: Connect to localhost:3000 in the local preview.",
      "a statement of SQL: SQLSTATE in: The log shows SQLSTATE 57014 for queries that were cancelled.",
    ]
  `);
});
