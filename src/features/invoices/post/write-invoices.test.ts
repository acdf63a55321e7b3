import { expect, test } from "vitest";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { ACME, holdCalls, liftLimits } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceRows } from "../../../../test/support/workbooks.ts";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";

test("the list says how many invoices are posted while the others wait, even if they were posted right after the count", async () => {
  const app = await startApp({ clock: steppedClock() });
  await liftLimits(app.intuit, ACME);
  const browser = await app.owner(ACME);
  const posted = async () => {
    const list = (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
    return list.uploads[0]?.invoices.posted;
  };
  const first = await holdCalls(app.intuit, { operation: "batch" }, 1);
  const second = await holdCalls(app.intuit, { operation: "batch" }, 1);
  await uploadRows(browser, ACME, invoiceRows(75, { prefix: "W" }));
  await first.hit();
  await second.hit();
  await app.settle();
  expect(await posted()).toBe(25);
  await first.release();
  await app.settle();
  expect(await posted()).toBe(50);
  await second.release();
  expect((await settledUploads(browser, ACME)).uploads[0]?.invoices.posted).toBe(75);
});
