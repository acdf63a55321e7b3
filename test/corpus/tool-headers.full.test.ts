import { expect, test } from "vitest";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { inspectColumns } from "#features/sheets/reading.ts";
import { makeMoneySheet } from "./money-sheets.ts";
import { type Meaning, TOOL_SHEETS } from "./money-tools.ts";

/** Columns that no invoice needs. */
const BESIDE: ReadonlySet<Meaning> = new Set<Meaning>(["none", "words", "code", "flag", "zero"]);

test("at least 212 of the 217 headers of eleven programs are recognized or asked about", () => {
  const unknown: string[] = [];
  let count = 0;
  TOOL_SHEETS.forEach(({ name, columns }, at) => {
    const settled = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const { bytes, fileName } = makeMoneySheet(at + round * TOOL_SHEETS.length);
      const seen = inspectColumns(invoiceSheet, bytes, { fileName, chosen: new Map() });
      for (const { header, field, guess, reason } of seen.columns)
        if (field !== null || guess !== null || reason !== null) settled.add(header);
    }
    for (const { header, meaning } of columns) {
      if (BESIDE.has(meaning)) continue;
      count += 1;
      if (!settled.has(header)) unknown.push(`${name}: ${header}`);
    }
  });
  expect(count).toBeGreaterThanOrEqual(217);
  expect(unknown.length / count, unknown.join("\n")).toBeLessThanOrEqual(5 / 217);
});
