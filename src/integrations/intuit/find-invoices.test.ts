import { expect, onTestFinished, test } from "vitest";
import { ACME, openBooks, startIntuit } from "#integrations/intuit/fixtures/open-books.ts";
import { readAmounts } from "#integrations/intuit/read-amounts.ts";
import { systemIds } from "#platform/ids.ts";
import { createTestDatabase } from "../../../test/support/database.ts";

async function open() {
  const intuit = await startIntuit();
  const database = await createTestDatabase();
  onTestFinished(async () => {
    await intuit.close();
    await database.drop();
  });
  const { admins } = (await intuit.control("GET", `/companies/${ACME}`)) as { admins: string[] };
  const { books } = await openBooks(intuit, { sub: admins[0] ?? "", realmId: ACME, db: database.db });
  const customerId = (await books.customers()).data.find((customer) => customer.Active)?.Id ?? "";
  const itemId = (await books.items()).data.find((item) => item.Active && item.Type === "Service")?.Id ?? "";
  const make = async (number: string) => {
    const detail = { ItemRef: { value: itemId }, Qty: 3, UnitPrice: 10, TaxCodeRef: { value: "TAX" } };
    const body = {
      CustomerRef: { value: customerId },
      TxnDate: "2026-11-19",
      DocNumber: number,
      Line: [{ DetailType: "SalesItemLineDetail" as const, Amount: 30, SalesItemLineDetail: detail }],
    };
    return (await books.createInvoice(body, { requestId: systemIds.uuid() })).data;
  };
  return { intuit, books, make };
}

test("for an invoice to which QuickBooks added tax, the amount that was sent is read", async () => {
  const { intuit, books, make } = await open();
  const taxed = {
    preferences: { TaxPrefs: { UsingSalesTax: true, PartnerTaxEnabled: true } },
    taxPercent: 8,
  };
  await intuit.control("PATCH", `/companies/${ACME}`, taxed);
  expect(await make("TX-1")).toMatchObject({ TotalAmt: 32.4, TxnTaxDetail: { TotalTax: 2.4 } });
  const { invoices } = (await books.findInvoicesByNumbers(["TX-1"])).data;
  expect(invoices.map(readAmounts)).toEqual([{ totalCents: 3_240, taxCents: 240, netCents: 3_000 }]);
});

test("many invoices are read by id in few calls, and those that are gone are left out", async () => {
  const { intuit, books, make } = await open();
  const [kept, gone] = [await make("ID-1"), await make("ID-2")];
  await books.deleteInvoice(gone, { requestId: systemIds.uuid() });
  await intuit.control("DELETE", "/journal");
  const { data } = await books.findInvoicesById([gone.Id, kept.Id, kept.Id]);
  expect(data.map(({ Id }) => Id)).toEqual([kept.Id]);
  const { entries } = (await intuit.control("GET", "/journal")) as { entries: { operation: string }[] };
  expect(entries.map(({ operation }) => operation)).toEqual(["query", "invoice.read"]);
});

test("an invoice that a query does not show yet is still read", async () => {
  const { intuit, books, make } = await open();
  const made = await make("ID-3");
  await intuit.control("PATCH", "/settings", { queryLagS: 600 });
  const { data } = await books.findInvoicesById([made.Id]);
  expect(data.map(({ Id }) => Id)).toEqual([made.Id]);
  await intuit.control("PATCH", "/settings", { queryLagS: 0 });
});

test("invoices created since a given time are read without a customer's history", async () => {
  const { intuit, books, make } = await open();
  await make("MS-1");
  await intuit.control("POST", "/clock", { advanceMs: 3_600_000 });
  const { now } = (await intuit.control("GET", "/clock")) as { now: string };
  await make("MS-2");
  await make("MS-3");
  await intuit.control("DELETE", "/journal");
  const { data } = await books.findInvoicesMadeSince(new Date(now));
  expect(new Set(data.map(({ DocNumber }) => DocNumber))).toEqual(new Set(["MS-2", "MS-3"]));
  const { entries } = (await intuit.control("GET", "/journal")) as { entries: { reads: number }[] };
  expect(entries.map(({ reads }) => reads)).toEqual([2]);
});
