// The consent to a plan: a preview that was confirmed by its digest, or the question at a terminal.
import type { RunContext } from "../../kit/command.ts";
import { once } from "../../once.ts";
import { askYes, canAsk } from "../shared/questions.ts";
import { describeNotified, notifiedBy, type Plan } from "./plan.ts";

/**
 * `agree` asks the person once, and throws a `Failure` without a consent. `beforeSend` also tells whom the requests notify. Throws
 * a `Failure` "confirmation" where --confirm is not the digest of the plan.
 */
export async function openConsent(context: RunContext, plan: Plan) {
  const { incidents, input } = plan;
  const { confirm } = input.flags;
  const asks = canAsk(context) && !context.global.yes;
  const agree = once(async () => {
    if (confirm !== undefined) await (await import("./preview.ts")).checkDigest(context, plan, confirm);
    else if (asks) await ask(context, plan);
  });
  // A plan that sends nothing needs no confirmation, unless the run sends something after all.
  if (confirm !== undefined && incidents.some(({ requests }) => requests.length > 0)) await agree();
  const beforeSend = once(async () => {
    await agree();
    for (const line of describeNotified(incidents)) context.info(line);
  });
  const confirmSimilar = () => askYes(context, "Declare another incident?", "nothing was sent");
  return { agree, beforeSend, ...(asks && { confirmSimilar }) };
}

async function ask(context: RunContext, { incidents, page, subject, target }: Plan): Promise<void> {
  const loud = notifiedBy(incidents);
  if (page === undefined && loud === "") return;
  if (page !== undefined) await context.show(page);
  const notified = loud === "" ? "" : `, and notify the subscribers of ${loud}`;
  const way = page !== undefined || loud === "" ? "" : "; --no-notify sends it without telling subscribers";
  const { account, baseUrl } = target;
  const place = account.value === undefined ? "without an account" : `account ${account.value}`;
  const question = `${subject} at ${new URL(baseUrl.value).host}, ${place}${notified}?`;
  await askYes(context, question, `nothing was sent${way}`);
}
