import { hash } from "node:crypto";
import type { InvoiceDraft } from "#features/books/index.ts";
import {
  type Field,
  fieldRule,
  invoiceSheet,
  type RowGroup,
} from "#features/invoices/workbook/rules-sheet.ts";
import type { Read } from "#formats/table/cells.ts";
import { findFirst } from "#formats/table/records.ts";

/**
 * Fingerprint of what QuickBooks would be sent, without the number: two drafts share it if everything else is the same.
 * Ignores names of list entries and of custom fields, which change in the books, but not their ids.
 */
export const fingerprintContent = (draft: InvoiceDraft): string =>
  toHash(inOrder(draft, ["DocNumber", "name", "Name"]));

/** Fingerprint of a complete draft, independent of property order; "" for none. */
export const fingerprintDraft = (draft: InvoiceDraft | null): string =>
  draft === null ? "" : toHash(inOrder(draft, []));

/** The number, and what a program changes without changing the invoice. */
const LEFT_OUT: readonly Field[] = ["invoiceNo", "group", "documentType", "documentStatus"];
const BILLING = invoiceSheet.names.filter(
  (field) => !LEFT_OUT.includes(field) && fieldRule(field).control !== true,
);
const LINE_FIELDS = BILLING.filter((field) => fieldRule(field).level === "row");
const INVOICE_FIELDS = BILLING.filter((field) => fieldRule(field).level !== "row");

/**
 * Fingerprint of what the file says of an invoice, without the number. Nothing in the books changes it: lists, prices and
 * preferences decide what is sent for a name, a blank rate, a PO number or a discount.
 */
export const fingerprintFile = (group: RowGroup): string =>
  toHash([
    INVOICE_FIELDS.flatMap((field) => entry(field, findFirst(group, field)?.read)),
    ...group.rows.map(({ cells }) => LINE_FIELDS.flatMap((field) => entry(field, cells.get(field)))),
  ]);

/** Exact texts: names that differ only in case may be two entries of a list. */
const entry = (field: Field, read: Read | undefined): string[] =>
  read ? [field, String(read.value), ...(read.isPercent ? ["%"] : [])] : [];

const toHash = (value: unknown): string => hash("sha256", JSON.stringify(value), "base64url");

/** Sorts properties, so that fingerprints of earlier versions still match. A copy is faster than a replacer of JSON. */
function inOrder(value: unknown, omitted: readonly string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inOrder(each, omitted));
  const properties = value as Record<string, unknown>;
  const ordered: Record<string, unknown> = {};
  for (const key of Object.keys(properties).toSorted())
    if (!omitted.includes(key)) ordered[key] = inOrder(properties[key], omitted);
  return ordered;
}
