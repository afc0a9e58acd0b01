// The leaks that alerts bring, and sentences as status pages publish them, which must have none.
import { expect, it } from "vitest";
import { findLeaks } from "../../src/incident/leaks.ts";

it.each([
  ["a cloud resource", "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:checkout-5xx is in ALARM"],
  ["a cloud resource", "The instance i-0abc1234def567890 fails its check"],
  ["a cloud resource", "Budget alarm in AWS account 123456789012"],
  ["an internal host name", "High load (ip-10-0-3-12.ec2)"],
  ["the name of a pod", "Pod checkout-api-7d9f8b6c5d-x2k4p is restarting"],
  ["a card number", "Payment with 4111 1111 1111 1111 was declined"],
  ["a card number", "Payment with 378282246310005 was declined"],
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
We are aware of an issue that affects sign-ins, and our engineers are looking into it.
Since 07:40 UTC, a subset of customers sees HTTP 502 and 504 responses from the REST API.
Requests to api.example.com in us-east-1 time out after 30 seconds.
The webhook endpoint hooks.example.com answers again.
Login at app.example.com fails with error code AUTH-1042.
Our dashboard shows "Error 1020: access denied" to customers behind a proxy.
The median latency rose from 120 ms to 2.4 s, and is back below 150 ms.
Roughly 3.7% of messages sent between 13:05 and 13:48 PST were delayed.
At peak, 0.02 percent of writes were rejected; none were lost.
Customers on version 14.2.0 of the iOS app cannot refresh their feed.
Please upgrade to agent 7.58.1 or later, which contains the fix.
The release 2026.47 has been rolled back in all regions.
Build 20261124.3 is available, and resolves the crash on Android 15.
Jobs that use the ubuntu-22.04 image start with a delay of up to 25 minutes.
Regions ap-southeast-2, sa-east-1 and ca-central-1 are not affected.
Virtual machines in europe-west3-b restarted at 04:12 CET.
The zones us-central1-a and us-central1-f have recovered.
New deployments in eastus2 and westeurope may fail.
Traffic is routed from FRA1 to AMS3 while we replace a router.
We have drained the Frankfurt edge location, and error rates fall.
See ticket SUP-48213 for the details that we sent to affected customers.
Change request CHG0041275 was completed without an impact.
This page replaces our earlier notice PSA-2026-11.
Case 00987654 is closed; reply to it if you still see problems.
The incident is tracked as #20261124-7 in our records.
The vulnerability CVE-2026-12345 does not affect our service.
RFC 9110 allows this response, but some clients do not expect it.
Our upstream provider, a CDN, confirms packet loss on its backbone.
Mobile push notifications through APNs and FCM arrive late.
SMS to the country codes +44 and +353 are queued.
The phone lines of our support are busy; please use the chat.
Write to us at help@example.com if your invoice is wrong.
You can reach the security team at security@example.com.
Subscribe at https://status.example.com/subscribe to receive updates by mail.
More information is at https://docs.example.com/errors#rate-limits.
A report follows within two business days.
The scheduled maintenance on 2026-12-01 lasts from 01:00 to 03:00 UTC.
We extend the maintenance window by 45 minutes, until 03:45 UTC.
The maintenance is complete, and all systems are operational.
During the failover, connections drop for up to 60 seconds.
We are switching the primary database to another data center.
The migration of the storage cluster is 85 % complete.
Replication lag has fallen from 40 minutes to under 5 seconds.
Full-text search returns results that are up to 2 hours old.
Reports for November 23 are incomplete, and are being recomputed.
Nightly exports in CSV and XLSX format start at 06:00 instead of 02:00.
Uploads of files larger than 5 GB fail with status 413.
Downloads of packages from the registry are slow in Asia.
Installing a package may fail with the error ETIMEDOUT or ECONNRESET.
The command line tool reports "TLS handshake timeout" on some networks.
A certificate of the authority R11 expired and was renewed at 10:02 UTC.
Clients that only support TLS 1.0 or 1.1 can no longer connect.
SAML logins through one identity provider are rejected.
Single sign-on with OpenID Connect works again.
Password resets by mail take up to 20 minutes.
If you changed your password today, sign in once more.
No passwords, tokens or keys were exposed.
API tokens that you created on Monday stay valid.
The token endpoint returns invalid_grant for some refresh requests.
Rotate your key if you see the message "signature expired".
We have rotated our signing keys as a precaution.
Payments by card, SEPA transfer and PayPal are delayed.
Refunds that were requested before noon will arrive on Thursday.
Checkout shows an error after the amount of 99.99 EUR is entered.
3-D Secure challenges of one bank do not load.
Cards that begin with 4 are declined more often than usual.
Payouts of Friday, 20 November 2026 are processed on Monday.
Invoice 4471-2026-000123 and later ones have the wrong date.
Orders with numbers above 7000000 are not shown in the list.
The order 8412-5567-0091 in our example is not affected.
IBAN checks for some countries fail.
Point-of-sale terminals in 3 stores are offline.
Barcodes such as 4006381333931 cannot be scanned in the app.
The tracking of parcels is out of date by one day.
Video calls with more than 50 participants freeze.
Audio is missing in recordings made between 15:10 and 15:55 GMT.
Live captions are unavailable in German and Portuguese.
Screen sharing works in Chrome 131, and fails in Firefox 133.
The editor does not save changes in documents that are open in two tabs.
Comments appear twice for some users; the duplicates will be removed.
Calendar invitations show the wrong time zone after the change of 1 November.
Emoji in file names break the synchronization on macOS 15.1.
Shared links with a password do not open.
Search for "select from list" shows no result.
We select a new leader and update each replica, then set the weight back.
Please update the app and set the region again.
The button "Delete from basket" has no effect.
Please insert the card into the reader again.
You can alter the table of contents again.
Queries that join more than 3 tables time out.
Jobs in the queue are processed at 40 % of the normal speed.
Git operations over SSH fail; HTTPS is not affected.
Pull requests do not show new commits for several minutes.
Webhooks of the type push are delivered late, and none are dropped.
The runner pool for arm64 is at capacity.
Artifacts older than 90 days were removed as announced.
The status badge shows "unknown" for repositories that are private.
The health check of our load balancers was too strict.
A configuration change removed a route between two networks.
A fiber cut near Marseille affects traffic to Africa and the Middle East.
A DDoS attack on our DNS provider has ended.
Names below example.net do not resolve for some resolvers.
DNS changes take up to 48 hours; the TTL is 3600 seconds.
IPv6 connections are slow; IPv4 works as usual.
The addresses 203.0.113.10 and 203.0.113.11 are added to our list for firewalls.
Allow 198.51.100.0/24 in addition to the present range.
Our new outbound range is 2001:db8:40::/48.
Packet loss between AS64500 and AS64511 is above 10 %.
Power in hall 2 is restored, and servers are being started.
The cooling of one room failed at 16:20 local time.
About 1,100 of 250,000 accounts are affected, and each was told by mail.
All customers of the Enterprise plan are on a separate cluster, which is not affected.
The free plan is read-only until 18:00 UTC.
The quota of your account was shown as 0; it is correct again.
Rate limits were reduced to 50 requests a second, and are back at 200.
Requests with more than 1,000 ids are rejected with the code 40012.
The response header x-request-id helps our support to find your request.
Include the request id, such as req_7f3a, when you write to us.
The field updated_at is null in some responses of /v2/orders.
GET /v1/users/{id} returns 404 for users created today.
The batch endpoint POST /v2/batch is disabled until further notice.
GraphQL queries with the argument first: 100 return fewer nodes.
The Python library 3.9.2 retries too often; 3.9.3 corrects this.
The SDK for Node.js 22 logs a warning, which you can ignore.
Messages of the log "connection reset by peer" are expected in this window.
The exception list of the filter was empty for 12 minutes.
Traces and metrics from 11:00 to 11:30 are missing in the charts.
Alerts may have fired late, or not at all, between 02:15 and 02:50.
Synthetic checks from Sydney report false failures.
The mean time to first byte is 3 times as long as usual in Mumbai.
We are scaling out from 24 to 36 nodes to clear the backlog of 2.1 million events.
The backlog is cleared, and we keep watching for one more hour.
We expect the next update by 17:30 CEST, or sooner if something changes.
There is no change since the last update, and we apologize for the wait.
The fix is deployed to 4 of 6 regions.
We have confirmed the recovery with several customers.
This incident lasted 2 h 14 min, from 08:03 to 10:17 UTC.
Thank you for your patience.`.split("\n");

/** The sentences that raise an alarm, with what each kind says of them. */
function alarmsIn(texts: readonly string[]) {
  return texts.flatMap((text) =>
    findLeaks(text).map(({ what, text: part }) => `${what}: ${part} in: ${text}`),
  );
}

it("raises no false alarm of any kind on 200 sentences of status pages", () => {
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences.length).toBeGreaterThanOrEqual(200);
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
