import { expect, test } from "vitest";
import { postInvoices } from "#features/invoices/contract.ts";
import { chooseColumns, readColumns } from "#features/invoices/workbook/contract.ts";
import type { SeenColumns } from "#features/sheets/contract.ts";
import { buildXlsx, type CellSpec, type MadeSheet } from "#formats/xlsx/fixtures/build-xlsx.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME, liftLimits } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";

const query = { realm_id: ACME };
/** Period of the limit of calls in a session. */
const MINUTE_MS = 60_000;
const HEADERS = ["Customer", "Item", "Amount", "Order Date"];

const line = (amount: number, date: string, ...more: CellSpec[]) => [
  "Cool Cars",
  "Claw Hammer",
  amount,
  date,
  ...more,
];
const month = (name: string, further: readonly string[], ...rows: CellSpec[][]): MadeSheet => ({
  name,
  rows: [[...HEADERS, ...further], ...rows],
});
const TIMES = ["2026-11-20 10:15", "2026-11-20 14:15"] as const;
const timed = (amount: number, ...more: CellSpec[]) =>
  TIMES.map((date, at) => line(amount + at, date, ...more));
const march = month("March", ["Surcharge"], line(1, "2026-09-20", 3), line(2, "2026-09-21", 4));

/** Workbooks in which a later sheet has questions that the first one hasn't, which has some of its own. */
const WORKBOOKS: Record<string, MadeSheet[]> = {
  "times in the third sheet": [
    march,
    month("April", ["Surcharge"], line(4, "2026-10-20", 1)),
    month("May", ["Surcharge"], ...timed(8, 2)),
  ],
  "times in the second and third sheet": [
    march,
    month("April", ["Surcharge"], ...timed(4, 1)),
    month("May", ["Surcharge"], ...timed(8, 2)),
  ],
  "times and a state of the third sheet": [
    month("March", ["Stage"], line(1, "2026-09-20", "Void"), line(2, "2026-09-21", "Paid")),
    month("April", ["Stage"], line(4, "2026-10-20", "Paid")),
    month("May", ["Stage"], ...timed(8, "Draft")),
  ],
  "a number of orders that the first sheet hasn't": [
    march,
    month("April", ["Ticket"], line(4, "2026-10-20", "T-1"), line(5, "2026-10-20", "T-2")),
  ],
  "money that the first sheet hasn't": [march, month("April", ["Rebate"], line(4, "2026-10-20", 1))],
  "money of each row in the second sheet": [
    month("March", ["Shipping"], line(1, "2026-09-20", 3)),
    month("April", ["Shipping"], line(4, "2026-10-20", 3), line(4, "2026-10-20", 3)),
  ],
  "a state that the first sheet hasn't": [
    march,
    month("April", ["Stage"], line(4, "2026-10-20", "Void"), line(5, "2026-10-21", "Paid")),
  ],
  "sheets that repeat each other": [
    march,
    month("April", ["Surcharge"], line(1, "2026-09-20", 3), line(9, "2026-10-20", 1)),
  ],
};

const save = async (browser: Browser, seen: SeenColumns, answer: (choices: readonly string[]) => string) => {
  const columns = seen.columns.flatMap(({ header, reason, choices }) =>
    reason === null ? [] : [{ header, field: answer(choices) }],
  );
  const row_marks = seen.row_marks.flatMap(({ of, values }) =>
    values.map(({ value }) => ({ of, value, is_billed: true })),
  );
  const [overlap] = seen.overlaps;
  const sheets = overlap ? [{ sheet: overlap.sheets[1] ?? "", is_read: false }] : [];
  const json = { columns, row_marks, sheets };
  expect((await browser.call(chooseColumns, { query, json })).status).toBe(200);
  return json;
};

const forget = (browser: Browser, { columns, row_marks, sheets }: Awaited<ReturnType<typeof save>>) =>
  browser.call(chooseColumns, {
    query,
    json: {
      columns: columns.map(({ header }) => ({ header, field: "" })),
      row_marks: row_marks.map((mark) => ({ ...mark, is_billed: null })),
      sheets: sheets.map(({ sheet }) => ({ sheet, is_read: true })),
    },
  });

test("SH-06 in eight kinds of workbooks whose later sheets have questions of their own, no question follows after those of one page, whatever the answers", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  const later: string[] = [];
  for (const [what, sheets] of Object.entries(WORKBOOKS)) {
    const file = { name: `${what}.xlsx`, bytes: buildXlsx({ sheets }) };
    for (const answer of [([first = "ignore"]: readonly string[]) => first, () => "ignore"]) {
      app.clock.advance(MINUTE_MS);
      expect([what, (await browser.call(postInvoices, { query, file })).status]).toEqual([what, 400]);
      const seen = (await browser.call(readColumns, { query, file })).json() as SeenColumns;
      const saved = await save(browser, seen, answer);
      const taken = await browser.call(postInvoices, { query, file });
      if (taken.status !== 202) later.push(`${what}: ${JSON.stringify(taken.json())}`);
      await forget(browser, saved);
    }
  }
  expect(later).toEqual([]);
});
