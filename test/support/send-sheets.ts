import { postInvoices } from "#features/invoices/contract.ts";
import { readColumns } from "#features/invoices/workbook/contract.ts";
import type { SeenColumns } from "#features/sheets/contract.ts";
import { buildXlsx, type MadeSheet } from "#formats/xlsx/fixtures/build-xlsx.ts";
import type { Browser } from "./browser.ts";
import { ACME } from "./intuit.ts";

const query = { realm_id: ACME };

/** Uploads a workbook of these sheets. */
export const sendSheets = (browser: Browser, name: string, sheets: readonly MadeSheet[]) =>
  browser.call(postInvoices, { query, file: { name: `${name}.xlsx`, bytes: buildXlsx({ sheets }) } });

/** Reads the columns, as the page shows them, of a workbook of these sheets. */
export const readSheets = async (browser: Browser, name: string, sheets: readonly MadeSheet[]) =>
  (
    await browser.call(readColumns, { query, file: { name: `${name}.xlsx`, bytes: buildXlsx({ sheets }) } })
  ).json() as SeenColumns;
