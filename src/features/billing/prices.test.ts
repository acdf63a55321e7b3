import { expect, test } from "vitest";
import { listSubscriptions, startPayment, type SubscriptionRow } from "#features/billing/contract.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { runBilling } from "../../../test/support/billing.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { startApp } from "../../../test/support/start-app.ts";

test("pages know the price of tracking from the record alone, and don't mention a price that is no longer sold", async () => {
  const clock = steppedClock();
  const app = await startApp({ worker: false, clock });
  const readBoot = async () => {
    const [, json = "{}"] = /id="boot">(.*?)<\/script>/.exec(await (await fetch(app.url)).text()) ?? [];
    const { tracking_price: text, price_note: note } = JSON.parse(json) as Record<string, string | null>;
    return { text, note };
  };
  const known = {
    text: "$29.00 a month",
    note: "Tracking Service costs $29.00 a month for each company; the first 14 days are free.",
  };
  await app.settle();
  expect(await readBoot()).toEqual(known);
  await app.stripe.control("faults", { fault: "hang" });
  clock.advance(3_600_000);
  expect(await readBoot()).toEqual(known);
  expect(await readBoot()).toEqual(known);
  expect((await app.stripe.control<{ rules: { fired: number }[] }>("faults")).rules[0]?.fired).toBe(0);
  await app.stripe.control("faults", undefined, "DELETE");
  const [price] = await app.stripe.objects("price");
  await app.stripe.api(`prices/${price!.id}`, { active: "false" });
  await runBilling(app, "read-events");
  clock.advance(61_000);
  // Answers what it knows, and reads again.
  await readBoot();
  await app.settle(0);
  expect(await readBoot()).toEqual({ text: null, note: null });
});

test("a service that isn't for sale is shown as coming soon, can't be added by any call, and no page promotes it", async () => {
  const app = await startApp({ env: { SERVICES_FOR_SALE: "" } });
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const subscriptions = (await browser.call(listSubscriptions, { query })).json() as SubscriptionRow[];
  expect(subscriptions).toMatchObject([{ service: "tracking", status: "none", is_for_sale: false }]);
  const refused = await browser.call(startPayment, {
    query,
    json: { price_id: subscriptions[0]?.price_id ?? "" },
  });
  const page = await (await fetch(app.url)).text();
  expect(page).toContain('"sells_tracking":false,"tracking_price":null');
  expect(page).toContain("Tracking Service is coming soon.");
  expect([refused.status, (refused.json() as { code: string }).code]).toEqual([409, "coming_soon"]);
});
