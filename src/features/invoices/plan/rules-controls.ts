import { centsToFixed, formatMoney, toCents } from "#formats/table/amounts.ts";
import { findFirst } from "#formats/table/records.ts";
import type { Field, RowGroup } from "#features/invoices/workbook/rules-sheet.ts";
import type { CheckedInvoice, Note } from "#features/invoices/plan/rules.ts";

/** Words for an invoice among other documents of an export. */
const INVOICES = /^(?:(?:sales|tax|commercial|customer)\s+)?inv(?:oice)?s?$/i;

/** Words for a document that no longer bills, or does not yet. */
const NOT_BILLED = /\b(?:void(?:ed)?|cancell?ed|deleted|drafts?|refunded|returned|rejected|declined)\b/i;

/** Holds back what the file itself says to be no invoice, or none that bills. */
export function checkDocument({ value }: Pick<CheckedInvoice, "value">, note: Note): void {
  const [type, status] = [value("documentType"), value("documentStatus")];
  if (type !== undefined && !INVOICES.test(type)) note("documentType", { code: "not_an_invoice" });
  if (status !== undefined && NOT_BILLED.test(status)) note("documentStatus", { code: "not_billed" });
}

/**
 * Compares the total that the file has for an invoice with that of its lines and charges, without the file's own tax or
 * with it.
 */
export function checkTotal(group: RowGroup, netCents: bigint, note: Note): void {
  const total = findFirst(group, "invoiceTotal")?.read.value;
  if (typeof total !== "bigint") return;
  const cents = toCents(total);
  const taxes = [0n, ...readTaxes(group)];
  if (taxes.some((tax) => netCents + tax === cents)) return;
  const tax = taxes.at(-1) ?? 0n;
  const params = { total: money(cents), sum: money(netCents), tax: tax === 0n ? null : money(tax) };
  note("invoiceTotal", { code: "total_differs", params });
}

/** The tax of an invoice as exports write it: on its first row, on each row again, or each line's own. */
function readTaxes({ rows }: RowGroup): bigint[] {
  const field: Field = "taxTotal";
  const taxes = rows.flatMap(({ cells }) => {
    const value = cells.get(field)?.value;
    return typeof value === "bigint" ? [toCents(value)] : [];
  });
  const sum = taxes.reduce((all, tax) => all + tax, 0n);
  const isRepeated = taxes.length > 1 && taxes.every((tax) => tax === taxes[0]);
  return isRepeated ? [taxes[0] ?? 0n, sum] : taxes.length > 0 ? [sum] : [];
}

const money = (cents: bigint): string => formatMoney(centsToFixed(cents));
