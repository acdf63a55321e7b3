import { sql } from "kysely";
import { expect, test } from "vitest";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { downloadProblemRows, postInvoices } from "#features/invoices/contract.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { openDesk } from "../support/desk.ts";
import { BAY, type BooksInvoice } from "../support/intuit.ts";
import type { InvoiceRow } from "../support/workbooks.ts";

const query = { realm_id: BAY };

/** Each rate has its own date: lines of one customer and date without a number are one invoice. */
const line = (rate: number, change: InvoiceRow = {}): InvoiceRow => ({
  Customer: "Cool Cars",
  "Invoice Date": `2026-11-${rate}`,
  Item: "Claw Hammer",
  Qty: 1,
  Rate: rate,
  Amount: rate,
  ...change,
});

/** A company whose numbers QuickBooks assigns, so only the ledger keeps an invoice from being created twice. */
async function openBooks() {
  const desk = await openDesk(BAY);
  const { app } = desk;
  return {
    ...desk,
    /** Leaves the ledger like an upload that ended with its invoice of this amount unresolved. */
    forget: (cents: number, uploadId?: string) =>
      sql`update write w set state = 'unresolved', vendor_id = null, answer = null,
          cause = '{"code": "in_doubt", "params": {}, "tid": null}'
        from upload_invoice i where i.realm_id = w.realm_id and i.upload_id = w.subject and i.invoice_key = w.part
          and w.state = 'done' and i.amount_cents = ${cents}
          and w.subject = coalesce(${uploadId ?? null}::uuid, w.subject)`.execute(app.db),
    states: async () => {
      const rows = await sql<{ state: string }>`select e.state from ledger_entry e
        join upload u on u.realm_id = e.realm_id and u.id = e.upload_id
        order by u.uploaded_at, e.seq`.execute(app.db);
      return rows.rows.map(({ state }) => state);
    },
    act: ({ Id }: BooksInvoice, action: "void" | "delete") =>
      app.intuit.control(`books/${BAY}/invoice/${Id}/${action}`, {}),
    byHand: (invoice: Pick<BooksInvoice, "CustomerRef" | "TxnDate" | "Line">) =>
      app.intuit.control(`books/${BAY}/Invoice`, invoice),
  };
}

test("UP-42 an unresolved invoice is not in the problem workbook, and is found in the books before the next upload", async () => {
  const desk = await openBooks();
  const first = await desk.upload([line(11), line(12), line(13, { Item: "WIDGET-9" })]);
  await desk.forget(1_200);
  const params = { upload_id: first?.id ?? "" };
  const bytes = await desk.browser.download(downloadProblemRows, { params, query });
  const rows = readWorkbook(bytes).sheets[0]?.rows ?? [];
  expect(rows.map(({ cells }) => cells[5])).toEqual(["Rate", 13]);
  await desk.upload([line(14)]);
  expect(await desk.states()).toEqual(["posted", "posted", "rejected", "posted"]);
  const earlier = (await desk.list()).find(({ id }) => id === first?.id);
  expect(earlier?.counts).toEqual({ total: 3, completed: 2, problems: 1, open: 0 });
  expect(await desk.made()).toHaveLength(3);
});

test("UP-42 an upload whose only problems may be in QuickBooks has no problem workbook, and the reply says so", async () => {
  const desk = await openBooks();
  const first = await desk.upload([line(11)]);
  await desk.forget(1_100);
  const params = { upload_id: first?.id ?? "" };
  const refused = await desk.browser.call(downloadProblemRows, { params, query });
  expect([refused.status, refused.json()]).toEqual([
    404,
    expect.objectContaining({ detail: expect.stringContaining("Look for them in QuickBooks") }),
  ]);
});

test("uploading a file again has its own message for an unresolved invoice, and says what to do", async () => {
  const desk = await openBooks();
  await desk.upload([line(11), line(12)]);
  await desk.forget(1_200);
  const lost = (await desk.made()).find(({ TotalAmt }) => TotalAmt === 12);
  if (lost) await desk.act(lost, "delete");
  const second = await desk.upload([line(11), line(12)]);
  expect(second?.results.map(({ rows, message }) => [rows, message])).toEqual([
    [
      "2",
      expect.stringMatching(
        /^Skipped: already uploaded on \w+ \d+, \d{4} in "invoices\.xlsx" \(invoice \d+\)\.$/,
      ),
    ],
    [
      "3",
      expect.stringMatching(
        /^Skipped: already uploaded on \w+ \d+, \d{4} in "invoices\.xlsx", and QuickBooks never confirmed this invoice\. Look for it in QuickBooks; if it isn't there, give it a new number \(or change the row\) and upload again\.$/,
      ),
    ],
  ]);
  expect(await desk.made()).toHaveLength(1);
});

test("an invoice in the books is adopted only if it is the only match and its lines are those sent", async () => {
  const desk = await openBooks();
  await desk.upload([line(12), line(15, { Qty: 2, Amount: 30 })]);
  const [twin, other] = (await desk.made()).toSorted((a, b) => a.TotalAmt - b.TotalAmt);
  if (!twin || !other) throw new Error("Too few invoices.");
  await desk.forget(1_200);
  await desk.forget(3_000);
  await desk.byHand({ ...pick(twin), Line: twin.Line.filter(isSold) });
  await desk.act(other, "delete");
  const sold = { ItemRef: { value: "3" }, Qty: 3, UnitPrice: 10 };
  await desk.byHand({
    ...pick(other),
    Line: other.Line.filter(isSold).map((sale) => ({ ...sale, SalesItemLineDetail: sold })),
  });
  await desk.upload([line(16)]);
  expect(await desk.states()).toEqual(["unresolved", "unresolved", "posted"]);
});

test("an equal invoice from another upload is not mistaken for ours, and does not stop ours from being found", async () => {
  const desk = await openBooks();
  await desk.upload([line(11), line(12)]);
  // A ledger from before equal invoices of other files were left out.
  await sql`update upload_invoice set fingerprint = null, file_fingerprint = null`.execute(desk.app.db);
  const second = await desk.upload([line(11), line(13)]);
  await desk.forget(1_100, second?.id);
  await desk.upload([line(14)]);
  expect(await desk.states()).toEqual(["posted", "posted", "posted", "posted", "posted"]);
  const equal = (await desk.made()).filter(({ TotalAmt }) => TotalAmt === 11);
  const own = equal.toSorted((a, b) => Number(a.Id) - Number(b.Id)).at(-1);
  if (!own) throw new Error("Too few invoices.");
  await desk.forget(1_100, second?.id);
  await desk.act(own, "delete");
  await desk.upload([line(15)]);
  expect(await desk.states()).toEqual(["posted", "posted", "unresolved", "posted", "posted", "posted"]);
});

const pick = ({ CustomerRef, TxnDate }: BooksInvoice) => ({ CustomerRef, TxnDate });
const isSold = ({ DetailType }: { DetailType: string }) => DetailType === "SalesItemLineDetail";

test("the same file with its columns matched differently posts nothing twice", async () => {
  const desk = await openBooks();
  const headers = ["Our Ref", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"];
  const bytes = await writeWorkbook([
    {
      name: "Invoices",
      columns: headers.map((header) => ({ header })),
      rows: [10, 20].map((rate) => ["Z-1", "Cool Cars", "2026-11-02", "Claw Hammer", 1, rate, rate]),
    },
  ]);
  const upload = async () => {
    const reply = await desk.browser.call(postInvoices, { query, file: { name: "odd.xlsx", bytes } });
    expect(reply.status).toBe(202);
    return (await desk.list())[0];
  };
  await upload();
  const made = await desk.made();
  const columns = [{ header: "Our Ref", field: "invoiceNo" }];
  expect((await desk.browser.call(chooseColumns, { query, json: { columns } })).status).toBe(200);
  const second = await upload();
  expect(second?.results[0]?.message).toMatch(/^Skipped: already uploaded on /);
  expect(await desk.made()).toEqual(made);
});

test.each(["delete", "void"] as const)(
  "an equal invoice from another file that a user removed from QuickBooks by hand is posted again (%s)",
  async (action) => {
    const desk = await openBooks();
    await desk.upload([line(11), line(12)]);
    const [first] = (await desk.made()).filter(({ TotalAmt }) => TotalAmt === 11);
    if (!first) throw new Error("There is no invoice.");
    await desk.act(first, action);
    await desk.upload([line(11), line(12), line(13)]);
    expect(await desk.states()).toEqual(["posted", "posted", "posted", "skipped", "posted"]);
    const unvoided = (await desk.made()).filter(({ TotalAmt }) => TotalAmt > 0);
    const totals = unvoided.map(({ TotalAmt }) => TotalAmt).toSorted((a, b) => a - b);
    expect(totals).toEqual([11, 12, 13]);
  },
);
