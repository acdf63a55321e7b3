import { expect } from "vitest";
import {
  allowDuplicates,
  checkInvoices,
  postCheck,
  readCheck,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import type { Browser } from "./browser.ts";
import { invoiceWorkbook, type InvoiceRow } from "./workbooks.ts";

/** Asks to check a workbook, and gives what was found. */
export async function checkRows(
  browser: Browser,
  realmId: string,
  { rows, mode = "invoice" }: { rows: readonly InvoiceRow[]; mode?: string },
): Promise<UploadCheck> {
  const file = { name: "checked.xlsx", bytes: await invoiceWorkbook(rows) };
  const accepted = await browser.call(checkInvoices, { query: { realm_id: realmId, mode }, file });
  expect(accepted.status).toBe(202);
  const { id } = accepted.json() as { id: string };
  return untilCheck(browser, realmId, { id, state: "checked" });
}

/** A check once it is in a state; how long that may take the test says. */
export async function untilCheck(
  browser: Browser,
  realmId: string,
  { id, state }: Pick<UploadCheck, "id" | "state">,
): Promise<UploadCheck> {
  for (;;) {
    await browser.settle();
    const reply = await browser.call(readCheck, { params: { upload_id: id }, query: { realm_id: realmId } });
    const found = reply.json() as UploadCheck;
    if (found.state === state) return found;
  }
}

/** Posts a check as a user does who sees this of it. */
export const postSeen = (
  browser: Browser,
  realmId: string,
  { id, revision }: Pick<UploadCheck, "id" | "revision">,
) =>
  browser.call(postCheck, {
    params: { upload_id: id },
    query: { realm_id: realmId, revision: `${revision}` },
  });

/** Chooses "Post these too" as a user does who sees this of a check. */
export const addSeen = (
  browser: Browser,
  realmId: string,
  { id, revision }: Pick<UploadCheck, "id" | "revision">,
) =>
  browser.call(allowDuplicates, {
    params: { upload_id: id },
    query: { realm_id: realmId, revision: `${revision}` },
  });
