import { expect, test } from "vitest";
import { listUploadResults, postInvoices } from "#features/invoices/contract.ts";
import { buildXlsx } from "../../src/formats/xlsx/fixtures/build-xlsx.ts";
import { ACME } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads } from "../support/uploads.ts";
import { DEFECTS } from "./defects.ts";
import { goodRow, marchSheet, type CorpusRow } from "./made-files.ts";

/** A row that the simulated company's books accept. */
const bookRow = (number: string): CorpusRow => ({
  ...goodRow(number),
  Customer: "Cool Cars",
  Item: "Claw Hammer",
  Rate: 19.95,
  Amount: 39.9,
  Terms: null,
  Class: null,
  Location: null,
  Currency: null,
});

/** Faults that do not depend on the books. */
const CHOSEN = DEFECTS.filter(
  ({ code, text }) =>
    /^(not_|too_long|formula_|code_became|digits_lost|character_|date_out|required)/.test(code) &&
    !text.includes("Acme"),
).filter((_, index) => index % 3 === 0);

test("single defects are reported through HTTP with their own messages, and the good invoice beside each is posted", async () => {
  expect(CHOSEN.length).toBeGreaterThanOrEqual(10);
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const before = (await app.intuit.invoices(ACME)).length;
  for (const [index, { change }] of CHOSEN.entries()) {
    const rows = [bookRow(`G-${index}`), { ...bookRow(`F-${index}`), ...change }];
    const file = { name: `${index}.xlsx`, bytes: buildXlsx({ sheets: [marchSheet(rows)] }) };
    expect((await browser.call(postInvoices, { query, file })).status).toBe(202);
  }
  const { uploads } = await settledUploads(browser, ACME);
  for (const [index, { text, name }] of CHOSEN.entries()) {
    const upload = uploads.find(({ filename }) => filename === `${index}.xlsx`);
    expect(upload?.counts, name).toEqual({ total: 2, completed: 1, problems: 1, open: 0 });
    const params = { upload_id: upload?.id ?? "" };
    const reply = await browser.call(listUploadResults, {
      params,
      query: { ...query, filter: "problems" },
    });
    expect(reply.json()).toMatchObject({ results: [{ status: 2, rows: "3", message: text }] });
  }
  expect(await app.intuit.invoices(ACME)).toHaveLength(before + CHOSEN.length);
});
