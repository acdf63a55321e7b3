import { expect } from "vitest";
import {
  addEqualInvoices,
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

/** A check once it is in a state. */
export async function untilCheck(
  browser: Browser,
  realmId: string,
  { id, state }: Pick<UploadCheck, "id" | "state">,
): Promise<UploadCheck> {
  let found: UploadCheck | undefined;
  const read = async () => {
    const reply = await browser.call(readCheck, { params: { upload_id: id }, query: { realm_id: realmId } });
    found = reply.json() as UploadCheck;
    return found.state;
  };
  await expect.poll(read, { interval: 50 }).toBe(state);
  if (!found) throw new Error("The check was never read.");
  return found;
}

/** Asks to post a check as somebody does who sees this of it. */
export const postSeen = (
  browser: Browser,
  realmId: string,
  { id, revision }: Pick<UploadCheck, "id" | "revision">,
) =>
  browser.call(postCheck, {
    params: { upload_id: id },
    query: { realm_id: realmId, revision: `${revision}` },
  });

/** Chooses "Post these too" as somebody does who sees this of a check. */
export const addSeen = (
  browser: Browser,
  realmId: string,
  { id, revision }: Pick<UploadCheck, "id" | "revision">,
) =>
  browser.call(addEqualInvoices, {
    params: { upload_id: id },
    query: { realm_id: realmId, revision: `${revision}` },
  });
