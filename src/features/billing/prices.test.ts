import { expect, test } from "vitest";
import { runBilling } from "../../../test/support/billing.ts";
import { swiftClock } from "../../../test/support/fast-clock.ts";
import { startApp } from "../../../test/support/start-app.ts";

test("pages know what tracking costs from the record alone, and say nothing of a price that is not sold any more", async () => {
  const clock = swiftClock();
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
  await expect.poll(readBoot).toEqual(known);
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
  await expect.poll(readBoot).toEqual({ text: null, note: null });
});
