import { expect, test } from "vitest";
import {
  checkAgain,
  checkInvoices,
  listCheckInvoices,
  readCheckInvoice,
  type ReviewInvoice,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { invoiceLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";
import { createRandom } from "../../../../test/corpus/random.ts";

type Cell = { row: number; field: string; value: string };

/** A user at the Upload page of a company, who checks files, corrects them and posts them. */
function atDesk(browser: Browser, realmId: string) {
  const query = { realm_id: realmId };
  const listed = async ({ id }: UploadCheck) =>
    (
      (await browser.call(listCheckInvoices, { params: { upload_id: id }, query })).json() as {
        invoices: ReviewInvoice[];
      }
    ).invoices;
  const opened = async ({ id }: UploadCheck, seq: number) =>
    (await browser.call(readCheckInvoice, { params: { upload_id: id, seq: String(seq) }, query })).json();
  return {
    listed,
    opened,
    check: async (bytes: Uint8Array, name: string): Promise<UploadCheck> => {
      const { id } = (await browser.call(checkInvoices, { query, file: { name, bytes } })).json() as {
        id: string;
      };
      return untilCheck(browser, realmId, { id, state: "checked" });
    },
    correct: async ({ id, revision }: UploadCheck, cells: Cell[]): Promise<UploadCheck> => {
      const asked = { ...query, revision: `${revision}` };
      const json = { cells, invoices: [] };
      await browser.call(checkAgain, { params: { upload_id: id }, query: asked, json });
      return untilCheck(browser, realmId, { id, state: "checked" });
    },
    post: async (check: UploadCheck) => {
      expect((await postSeen(browser, realmId, check)).status).toBe(202);
      await untilCheck(browser, realmId, { id: check.id, state: "posted" });
      await settledUploads(browser, realmId);
    },
  };
}

test("SH-10 SH-11 a file posted with a correction offers nothing again as it came, and says of each invoice when, from which file and by whom it was posted", async () => {
  const app = await startApp();
  const desk = atDesk(await app.owner(ACME), ACME);
  const wrong = { "Invoice Date": "Nov 3rd 2026?" };
  const bytes = await invoiceWorkbook([
    invoiceLine("W2-1"),
    invoiceLine("W2-2", wrong),
    invoiceLine("W2-3", { Qty: 1, Amount: 19.95 }),
  ]);
  const check = await desk.check(bytes, "october.xlsx");
  await desk.post(await desk.correct(check, [{ row: 3, field: "invoiceDate", value: "2026-11-03" }]));

  const again = await desk.check(bytes, "october copy.xlsx");
  expect(again.report).toMatchObject({ ready: { invoices: 0 }, rejected: { invoices: 0 } });
  const seen = await desk.listed(again);
  expect(seen.map(({ doc_number, state }) => [doc_number, state])).toEqual([
    ["W2-1", "posted"],
    ["W2-2", "posted"],
    ["W2-3", "posted"],
  ]);
  expect(seen[0]?.posted).toMatchObject({
    upload_id: check.id,
    filename: "october.xlsx",
    by: expect.stringContaining("@"),
    amount: "39.90",
    differs: null,
  });
  expect(JSON.stringify(again)).not.toContain("another number");
  expect(await desk.opened(again, 1)).toMatchObject({ posted: { date: "2026-11-03", amount: "39.90" } });

  // Saved again, so that its bytes differ, with another amount for one of them and a new invoice.
  const saved = await invoiceWorkbook([
    invoiceLine("W2-1"),
    invoiceLine("W2-2", wrong),
    invoiceLine("W2-3", { Qty: 2, Amount: 39.9 }),
    invoiceLine("W2-4"),
  ]);
  const later = await desk.check(saved, "november.xlsx");
  expect((await desk.listed(later)).map(({ doc_number, state }) => `${doc_number} ${state}`)).toEqual([
    "W2-1 posted",
    "W2-2 posted",
    "W2-3 posted",
    "W2-4 ready",
  ]);
  const [, , third] = await desk.listed(later);
  expect(third?.posted?.differs).toBe("Posted $19.95; here it's $39.90. Nothing is sent.");
  // Both are there to compare.
  expect(await desk.opened(later, third?.seq ?? 0)).toMatchObject({
    lines: [{ qty: 2, amount: 39.9 }],
    posted: {
      customer: "Cool Cars",
      date: "2026-11-02",
      amount: "19.95",
      lines: [{ place: "4", qty: 1, amount: 19.95 }],
    },
  });
  expect(await desk.opened(later, 3)).toMatchObject({ lines: [{ qty: 2 }], posted: null });
  expect(JSON.stringify(later)).not.toContain("another number");
});

test("SH-10 an invoice that was voided in QuickBooks since is not compared as posted", async () => {
  const app = await startApp();
  const desk = atDesk(await app.owner(ACME), ACME);
  await desk.post(await desk.check(await invoiceWorkbook([invoiceLine("W3-1")]), "first.xlsx"));
  const made = (await app.intuit.invoices(ACME)).find(({ DocNumber }) => DocNumber === "W3-1");
  await app.intuit.control(`books/${ACME}/invoice/${made?.Id}/void`, {});
  const other = await invoiceWorkbook([invoiceLine("W3-1", { Qty: 3, Amount: 59.85 })]);
  const again = await desk.check(other, "again.xlsx");
  const [listed] = await desk.listed(again);
  expect(listed).toMatchObject({ state: "skipped", posted: null });
  expect(await desk.opened(again, listed?.seq ?? 0)).toMatchObject({ posted: null });
});

test("SH-10 a file, with any corrections, under any name, chosen again and again, offers 0 new invoices", async () => {
  const app = await startApp();
  const browser = await app.owner(BAY, "platform@dockside.example");
  const desk = atDesk(browser, BAY);
  const known = (await app.intuit.invoices(BAY)).length;
  const random = createRandom(41);
  const files = await Promise.all(
    [1, 2].map((file) =>
      invoiceWorkbook(
        [1, 2, 3].map((day) =>
          invoiceLine("", { "Invoice Date": `2026-1${day % 3}-0${file}`, Qty: file, Amount: 19.95 * file }),
        ),
      ),
    ),
  );
  const fields = {
    invoiceDate: () => `2026-11-${10 + random.upTo(15)}`,
    description: () => `Corrected ${random.upTo(9)}`,
    invoiceNo: () => `P-${random.upTo(99_999)}`,
  };
  const cell = (): Cell => {
    const field = random.pick(["invoiceDate", "description", "invoiceNo"] as const);
    return { row: 2 + random.upTo(2), field, value: fields[field]() };
  };
  const posted = new Set<number>();
  for (let round = 0; round < 5; round += 1) {
    const at = round < 2 ? round : random.upTo(1);
    const bytes = files[at] ?? new Uint8Array();
    const first = await desk.check(bytes, `${random.pick(["a", "b", "c"])}.xlsx`);
    const check = random.chance(0.8) ? await desk.correct(first, [cell(), cell()]) : first;
    expect([round, check.report?.ready.invoices]).toEqual([round, posted.has(at) ? 0 : 3]);
    if (!posted.has(at)) await desk.post(check);
    posted.add(at);
  }
  expect((await app.intuit.invoices(BAY)).length - known).toBe(6);
});
