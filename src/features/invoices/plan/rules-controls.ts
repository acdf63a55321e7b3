import { formatCents, toCents } from "#formats/table/amounts.ts";
import { problemAt, type Problem } from "#formats/table/problem.ts";
import { findFirst, type GroupOfRows } from "#formats/table/records.ts";
import { headerKey } from "#formats/table/header-text.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { cleanText, showCell } from "#formats/table/texts.ts";
import type { Field, RowGroup, Table } from "#features/invoices/workbook/rules-sheet.ts";
import { held } from "#features/invoices/workbook/rules-questions.ts";
import type { CheckedInvoice, Note } from "#features/invoices/plan/rules.ts";

/** Terms for an invoice in exports with several document types. */
const INVOICES = /^(?:(?:sales|tax|commercial|customer)\s+)?inv(?:oice)?s?$/i;

/** Holds back documents that, according to the file, are not invoices or don't bill. */
export function checkDocument({ value }: Pick<CheckedInvoice, "value">, note: Note): void {
  const [type, status] = [value("documentType"), value("documentStatus")];
  if (type !== undefined && !INVOICES.test(type)) note("documentType", { code: "not_an_invoice" });
  if (status !== undefined && held.test(status)) note("documentStatus", { code: "not_billed" });
}

/**
 * Compares the file's total for an invoice with its lines and charges, without or with the file's own tax.
 * @returns cents of the file's own tax, null if it has none
 */
export function checkTotal(group: RowGroup, netCents: bigint, note: Note): number | null {
  const own = readTaxes(group);
  const total = findFirst(group, "invoiceTotal")?.read.value;
  const cents = typeof total === "bigint" ? toCents(total) : undefined;
  const proven = own.find((tax) => netCents + tax === cents) ?? own[0];
  const ownTax = proven === undefined ? null : Number(proven);
  if (cents === undefined) return ownTax;
  const taxes = [0n, ...own];
  if (taxes.some((tax) => netCents + tax === cents)) return ownTax;
  const tax = taxes.at(-1) ?? 0n;
  const params = {
    total: formatCents(cents),
    sum: formatCents(netCents),
    tax: tax === 0n ? null : formatCents(tax),
  };
  note("invoiceTotal", { code: "total_differs", params });
  return ownTax;
}

/**
 * Tax of an invoice as exports write it: on its first row, repeated on each row, or separately for each line.
 */
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

/** Money of a whole invoice, which is not asked about where its header says so or a total proves it. */
const BILLED_ONCE = ["discount", "shipping", "fee", "deposit"] as const;

/**
 * Reports once for each column that equal values on several rows of an invoice are billed once; a total of the file
 * would show it, and a user may have said it.
 */
export function noteBilledOnce(
  table: Table,
  groups: readonly GroupOfRows[],
  chosen?: ColumnChoices,
): Problem[] {
  if (table.columns.some(({ field }) => field === "invoiceTotal")) return [];
  const columns = table.columns.filter(
    ({ field, header }) => BILLED_ONCE.some((once) => once === field) && !chosen?.has(headerKey(header)),
  );
  if (columns.length === 0) return [];
  const rowByNumber = new Map(table.rows.map(({ number, cells }) => [number, cells]));
  return columns.flatMap(({ field, header, index }): Problem[] => {
    const read = (row: number) => {
      const cell = rowByNumber.get(row)?.[index];
      const text = cell === undefined ? "" : cleanText(showCell(cell));
      return /[1-9]/.test(text) ? [{ row, text }] : [];
    };
    const [first, second] = groups.map(({ rows }) => rows.flatMap(read)).find(([, other]) => other) ?? [];
    if (!first || !second) return [];
    const params = { header, rows: [first.row, second.row] };
    return [
      problemAt(
        table,
        { field, row: first.row },
        { severity: "warning", code: "charge_billed_once", value: first.text, params },
      ),
    ];
  });
}
