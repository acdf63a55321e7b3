import { expect, test } from "vitest";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { chooseDateOrder, readDateOrder } from "#features/invoices/workbook/contract.ts";
import { listUploads, postInvoices } from "#features/invoices/contract.ts";
import type { Browser } from "../../../test/support/browser.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { startApp, type TestApp } from "../../../test/support/start-app.ts";
import { settledUploads } from "../../../test/support/uploads.ts";
import { invoiceLine, invoiceWorkbook } from "../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

/** A workbook whose dates are texts, one invoice each. */
async function send(browser: Browser, number: string, dates: readonly string[], way = "post") {
  const rows = dates.map((date, index) => invoiceLine(`${number}-${index}`, { "Invoice Date": date }));
  const file = { name: `${number}.xlsx`, bytes: await invoiceWorkbook(rows) };
  return way === "check"
    ? browser.call(checkInvoices, { query, file })
    : browser.call(postInvoices, { query, file });
}

async function sentDates({ intuit }: TestApp, number: string): Promise<string[]> {
  const made = (await intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith(`${number}-`));
  return made.map(({ TxnDate }) => TxnDate).toSorted();
}

test("an ambiguous date order is asked about before posting or checking, and the answer is saved", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const unclear = ["03/04/2026", "05/05/2026", "06/07/2026"];
  const asked = {
    status: 400,
    code: "date_order_unclear",
    detail: "Is 03/04/2026 in C2 March 4 or April 3? We couldn't tell from this file.",
  };
  expect((await send(browser, "A", unclear)).json()).toMatchObject(asked);
  expect((await send(browser, "A", unclear, "check")).json()).toMatchObject(asked);
  expect((await browser.call(listUploads, { query })).json()).toMatchObject({ total_count: 0 });

  const chosen = await browser.call(chooseDateOrder, { query, json: { order: "dmy" } });
  expect(chosen.status).toBe(200);
  expect((await send(browser, "A", unclear, "check")).status).toBe(202);
  expect((await send(browser, "A", unclear)).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/as April 3 because your company's files put the day first\.$/),
  );
  expect(await sentDates(app, "A")).toEqual(["2026-04-03", "2026-05-05", "2026-07-06"]);

  const other = await app.owner(BAY, "platform@dockside.example");
  expect((await other.call(readDateOrder, { query: { realm_id: BAY } })).json()).toEqual({ order: null });
  expect((await browser.call(readDateOrder, { query })).json()).toEqual({ order: "dmy" });
  await browser.call(chooseDateOrder, { query, json: { order: null } });
  expect((await send(browser, "B", unclear)).json()).toMatchObject(asked);
});

test("unambiguous dates ask no question, and one decisive date overrides the saved answer", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await browser.call(chooseDateOrder, { query, json: { order: "dmy" } });
  await send(browser, "C", ["03/04/2026", "12/31/2026"]);
  await settledUploads(browser, ACME);
  expect(await sentDates(app, "C")).toEqual(["2026-03-04", "2026-12-31"]);
  await browser.call(chooseDateOrder, { query, json: { order: null } });
  expect((await send(browser, "D", ["2026-03-04", "5-Jun-2026", "07/07/2026"])).status).toBe(202);
});

test("a file accepted before its saved answer was deleted posts no guessed date", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await browser.call(chooseDateOrder, { query, json: { order: "mdy" } });
  expect((await send(browser, "E", ["03/04/2026", "2026-05-06"])).status).toBe(202);
  await browser.call(chooseDateOrder, { query, json: { order: null } });
  await app.work();
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 1, problems: 1 });
  expect(upload?.results[0]?.message).toBe("C2: This could be March 4, 2026 or April 3, 2026.");
});
