import { expect, test } from "vitest";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import * as contract from "#features/invoices/workbook/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import type { SeenColumns } from "#features/sheets/contract.ts";
import { totalWith } from "#features/sheets/web/rules-answers.ts";
import { changedAnswers, findBilled } from "#features/sheets/web/rules-row-marks.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";
import { settledUploads } from "../../../test/support/uploads.ts";

const query = { realm_id: ACME };

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", "Shipping", "Stage"];
const line = (number: string, amount: number, shipping: number | null, stage: string): CellSpec[] => [
  number,
  "Cool Cars",
  "2026-11-02",
  "Claw Hammer",
  amount,
  shipping,
  stage,
];
const turned = (cells: readonly CellSpec[]) => cells.toReversed();

const WORKBOOK = {
  name: "months.xlsx",
  bytes: buildXlsx({
    sheets: [
      { name: "March", rows: [HEADERS, line("M-1", 19.95, 4.05, "Paid"), line("M-2", 7.35, null, "Paid")] },
      {
        name: "April",
        rows: [
          ["Sales of April"],
          turned(HEADERS),
          turned(line("A-1", 39.9, 6, "Paid")),
          turned(line("A-1", 0.17, null, "Paid")),
          turned(line("A-2", 250, 8, "Voided")),
        ],
      },
      { name: "May", rows: [HEADERS, line("Y-1", 1000, 3, "Paid")] },
    ],
  }),
};

const describeRows = ({ sheet, rows, amount }: { sheet: string; rows: string; amount: string | null }) =>
  `${sheet}: ${rows}, ${amount}`;

test("SH-06 the total of several sheets on the page of questions is, to the cent, what is then posted", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const seen = (await browser.call(contract.readColumns, { query, file: WORKBOOK })).json() as SeenColumns;
  const meanings = seen.columns.map(({ field, guess }) => field ?? guess ?? "ignore");
  const billed = findBilled(seen.row_marks, new Map());
  expect(seen.sheets.map(({ sheet }) => sheet)).toEqual(["March", "April", "May"]);
  expect(totalWith(seen, meanings, billed)).toEqual({ records: 4, cents: 108_042 });
  const everything = billed.map((values) => values.map(() => true));
  expect(totalWith(seen, meanings, everything)).toEqual({ records: 5, cents: 133_842 });
  expect(
    seen.row_marks[0]?.values.map(({ value, rows, count, amount }) => [value, rows, count, amount]),
  ).toEqual([
    ["Paid", "2-3, April!3-4, May!2", 5, "1067.37"],
    ["Voided", "April!5", 1, "250.00"],
  ]);
  expect(seen.row_marks[0]?.values.map(({ by_sheet: found }) => found.map(describeRows))).toEqual([
    ["March: 2-3, 27.30", "April: April!3-4, 40.07", "May: May!2, 1000.00"],
    ["April: April!5, 250.00"],
  ]);
  // Answered for one sheet, "Paid" counts for all of the same headers.
  expect(totalWith(seen, meanings, [[false, true]])).toEqual({ records: 1, cents: 25_800 });
  const sheets = seen.sheets.map(({ sheet }) => ({ sheet, is_read: sheet !== "May" }));
  const total = totalWith({ ...seen, sheets }, meanings, billed);
  const before = await app.intuit.invoices(ACME);
  const columns = seen.columns.flatMap(({ header, field }, at) =>
    field === null ? [{ header, field: meanings[at] ?? "" }] : [],
  );
  const answers = { columns, sheets, row_marks: changedAnswers(seen.row_marks, billed) };
  expect((await browser.call(contract.chooseColumns, { query, json: answers })).status).toBe(200);
  expect((await browser.call(postInvoices, { query, file: WORKBOOK })).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 4, problems: 0 });
  const posted = (await app.intuit.invoices(ACME)).slice(before.length);
  const cents = posted.reduce((sum, { TotalAmt }) => sum + Math.round(TotalAmt * 100), 0);
  expect(total).toEqual({ records: posted.length, cents });
  expect(cents).toBe(7_742);
});
