import { expect } from "vitest";
import { openFile } from "#features/admin/contract.ts";
import { askForGrant } from "#features/companies/support/contract.ts";
import { createLabels, printLabels } from "#features/labels/contract.ts";
import type { Browser } from "./browser.ts";
import { ACME } from "./intuit.ts";
import { labelWorkbook, setUpLabels } from "./labels.ts";
import type { openBucket } from "./s3.ts";
import { uploadRows } from "./uploads.ts";
import { invoiceRows } from "./workbooks.ts";

const PRINT = "0198c0de-0000-7000-8000-0000000000e1";

/** A user of Acme, and an operator who may open its files once `storeFiles` has run. */
export type Readers = { owner: Browser; operator: Browser };

/** Uploads invoices and makes labels, while the bucket fails one call of each kind. @returns the id of the upload */
export async function storeFiles(
  { owner, operator }: Readers,
  s3: Awaited<ReturnType<typeof openBucket>>["s3"],
): Promise<string> {
  await setUpLabels(owner);
  s3.fail("slow_down", { method: "PUT" });
  const { id } = (await uploadRows(owner, ACME, invoiceRows(2, { prefix: "S3" }))).json() as { id: string };
  s3.fail("cut_after", { method: "PUT" });
  s3.fail("damaged", { method: "GET" });
  const made = await owner.call(createLabels, {
    headers: { "x-realm-id": ACME },
    json: { print_id: PRINT },
    file: { name: "week12.xlsx", bytes: await labelWorkbook([{ Cartons: 3 }]) },
  });
  expect(made.status).toBe(200);
  await operator.call(askForGrant, { json: { realm_id: ACME, reason: "Ticket 7" } });
  return id;
}

/** Downloads the workbook of an upload and the document of the labels. */
export const readFiles = ({ owner, operator }: Readers, upload: string) =>
  Promise.all([
    operator.download(openFile, { params: { kind: "workbook", file: upload }, query: { realm_id: ACME } }),
    owner.download(printLabels, { params: { upload_id: PRINT }, headers: { "x-realm-id": ACME }, json: {} }),
  ]);
