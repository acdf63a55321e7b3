import { expect, test } from "vitest";
import { postInvoices } from "#features/invoices/contract.ts";
import { openDesk, type Desk } from "../support/desk.ts";
import { ACME } from "../support/intuit.ts";
import type { InvoiceRow } from "../support/workbooks.ts";

const row = (number: string, more: Partial<InvoiceRow> = {}): InvoiceRow => ({
  "Invoice No": number,
  Customer: "Cool Cars",
  "Invoice Date": "2026-11-02",
  Item: "Claw Hammer",
  Amount: 12.5,
  ...more,
});

async function uploadText({ browser, query, list }: Desk, text: string) {
  const file = { name: "invoices.csv", bytes: new TextEncoder().encode(text) };
  expect((await browser.call(postInvoices, { query, file })).status).toBe(202);
  return (await list())[0];
}

test("a surrogate pair at the place where a long cell is cut ends no upload", async () => {
  const { upload } = await openDesk(ACME);
  const customer = `${"a".repeat(58)}😀 and Sons`;
  const done = await upload([row("E-1"), row("E-2", { Customer: customer })]);
  expect(done?.counts).toEqual({ total: 2, completed: 1, problems: 1, open: 0 });
  expect(done?.results[1]?.message).toContain(`"${"a".repeat(58)}😀…"`);
});

test("a vendor fault whose text holds characters that no database stores is still reported", async () => {
  const { app, upload } = await openDesk(ACME);
  const detail = "Half \ud83d of a character, and none: \u0000.";
  await app.intuit.control("faults", [
    { fault: "code", code: "2500", detail, once: true, match: { operation: "batch.item" } },
  ]);
  const done = await upload([row("W-1"), row("W-2")]);
  expect(done?.counts).toEqual({ total: 2, completed: 1, problems: 1, open: 0 });
  expect(done?.results[0]?.message).toContain("Half \ufffd of a character, and none: \ufffd.");
});

test("an invoice that mentions an <Error> is posted like any other, and so is the next one", async () => {
  const desk = await openDesk(ACME);
  const { app, upload } = desk;
  const first = await uploadText(
    desk,
    "Invoice No,Customer,Invoice Date,Item,Description,Amount\n" +
      "X-1,Cool Cars,2026-11-02,Claw Hammer,Fix <Error>timeout</Error> in feed,10\n" +
      "X-2,Cool Cars,2026-11-02,Claw Hammer,ok,11\n",
  );
  expect(first?.counts).toEqual({ total: 2, completed: 2, problems: 0, open: 0 });
  expect((await upload([row("X-3")]))?.counts).toMatchObject({ completed: 1 });
  const numbers = (await app.intuit.invoices(ACME)).map(({ DocNumber }) => DocNumber);
  expect(numbers.filter((number) => number?.startsWith("X-"))).toHaveLength(3);
});

test("a refused item called Monthly retainer refuses one invoice and is not mistaken for an exhausted monthly quota", async () => {
  const { app, upload } = await openDesk(ACME);
  const detail = "Invalid Reference Id : Item Monthly retainer quota was made inactive";
  await app.intuit.control("faults", [
    { fault: "code", code: "2500", detail, once: true, match: { operation: "batch.item" } },
  ]);
  const rows = Array.from({ length: 200 }, (_, index) => row(`Q-${index}`));
  const done = await upload(rows);
  expect(done?.counts).toEqual({ total: 200, completed: 199, problems: 1, open: 0 });
});

test("an exhausted monthly quota stops what is not sent, and says so", async () => {
  const { app, upload } = await openDesk(ACME);
  await app.intuit.control("faults", [
    {
      fault: "code",
      code: "3001",
      http: 429,
      detail: "Monthly CorePlus quota exceeded",
      match: { operation: "invoice.create" },
    },
  ]);
  const done = await upload([row("M-1")]);
  expect(done?.results[0]?.message).toContain("monthly limit");
});
