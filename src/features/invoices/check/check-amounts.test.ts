import { expect, test } from "vitest";
import { checkAgain, listCheckInvoices, type UploadCheck } from "#features/invoices/check/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { checkRows, postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

async function statesIn(browser: Browser, { id }: UploadCheck) {
  const reply = await browser.call(listCheckInvoices, { params: { upload_id: id }, query });
  const { invoices } = reply.json() as { invoices: { doc_number: string; state: string }[] };
  return invoices.map(({ doc_number, state }) => `${doc_number} ${state}`);
}

const readTexts = ({ report }: UploadCheck) => (report?.problems ?? []).map(({ text }) => text);

test("UP-48 a blank Qty that works out to whole units is calculated and reported; one with decimals must be filled in by a user before anything is sent", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, {
    rows: [
      invoiceLine("D-1", { Qty: undefined, Rate: 19.95, Amount: 59.85 }),
      invoiceLine("D-2", { Qty: undefined, Rate: 89, Amount: 187 }),
      invoiceLine("D-3", { Qty: 4, Rate: undefined, Amount: 50 }),
      invoiceLine("D-4", { Qty: undefined, Rate: 20, Amount: 50 }),
    ],
  });
  expect(await statesIn(browser, check)).toEqual(["D-1 ready", "D-2 fix", "D-3 ready", "D-4 fix"]);
  expect(readTexts(check)).toEqual(
    expect.arrayContaining([
      expect.stringContaining("Qty calculated from Amount ÷ Rate"),
      expect.stringContaining("Rate calculated from Amount ÷ Qty"),
      expect.stringContaining("Qty is missing: $187.00 ÷ $89.00 isn't a whole number."),
      expect.stringContaining("Qty is missing: $50.00 ÷ $20.00 isn't a whole number."),
    ]),
  );
  const json = { cells: [{ row: 5, field: "qty", value: "2.5" }], invoices: [] };
  const asked = { params: { upload_id: check.id }, query: { ...query, revision: `${check.revision}` } };
  expect((await browser.call(checkAgain, { ...asked, json })).status).toBe(202);
  const answered = await untilCheck(browser, ACME, { id: check.id, state: "checked" });
  expect(await statesIn(browser, answered)).toEqual(["D-1 ready", "D-2 fix", "D-3 ready", "D-4 ready"]);
  expect((await postSeen(browser, ACME, answered)).status).toBe(202);
  await untilCheck(browser, ACME, { id: check.id, state: "posted" });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 4, completed: 3, problems: 1, open: 0 });
  const posted = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("D-"));
  const sent = posted.map(({ DocNumber, Line }) => [DocNumber, Line[0]?.SalesItemLineDetail?.Qty]);
  expect(sent.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
    ["D-1", 3],
    ["D-3", 4],
    ["D-4", 2.5],
  ]);
});
