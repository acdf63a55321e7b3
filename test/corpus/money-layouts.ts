import { csvLine } from "../../src/formats/csv/write-csv.ts";
import { columnName } from "../../src/formats/xlsx/cell-names.ts";
import { buildXlsx, type CellSpec } from "../../src/formats/xlsx/fixtures/build-xlsx.ts";
import type { Random } from "./random.ts";
import type { Meaning } from "./money-tools.ts";

/** A column of a sheet; further lines of a row have headers of their own. */
export type LaidColumn = { header: string; meaning: Meaning };

/** Rows of one invoice. */
export type LaidInvoice = { number: string; customer: string; rows: CellSpec[][] };

type Page = { name: string; rows: CellSpec[][] };
type Body = { columns: readonly LaidColumn[]; invoices: readonly LaidInvoice[] };

/**
 * Lays invoices out as people and programs do: titles above, totals between and below, a footer, several sheets, or each
 * customer alone above its rows.
 */
export function layOut(
  body: Body,
  random: Random,
  { name, isReport }: { name: string; isReport: boolean },
): { fileName: string; bytes: Uint8Array } {
  const isCsv = random.chance(0.3);
  const count = isCsv ? 1 : random.pick([1, 1, 1, 2, 3]);
  const style = {
    isFormula: !isCsv && random.chance(0.5),
    isHeaded: isReport && random.chance(0.5),
    totals: random.pick(["none", "none", "grand", "grand", "customers", "invoices"] as const),
    label: random.pick(["Total", "TOTAL", "Grand Total", "Total:", "", ""]),
    ofCustomer: random.pick([
      (customer: string) => `Total for ${customer}`,
      (customer: string) => `${customer} Total`,
      (customer: string) => customer,
    ]),
    summed: random.pick(["amounts", "all"] as const),
    footer: random.chance(0.3) ? random.pick(FOOTERS) : "",
    above: random.pick([0, 0, 0, 2, 3]),
  };
  const size = Math.ceil(body.invoices.length / count);
  const pages = Array.from({ length: count }, (_, at): Page => {
    const invoices = body.invoices.slice(at * size, (at + 1) * size);
    return { name: MONTHS[at] ?? "", rows: layOutPage({ ...body, invoices }, style) };
  });
  if (!isCsv && random.chance(0.15)) pages.splice(random.upTo(pages.length), 0, SUMMARY);
  if (isCsv) return { fileName: `${name}.csv`, bytes: toCsv(pages[0]?.rows ?? []) };
  return { fileName: `${name}.xlsx`, bytes: buildXlsx({ sheets: pages }) };
}

/** Another sheet of the workbook, which bills nothing. */
const SUMMARY: Page = {
  name: "Summary",
  rows: [
    ["Customer", "Total"],
    ["Beta LLC", 1250.5],
    ["Total", 1250.5],
  ],
};
const MONTHS = ["May", "June", "July"];
const FOOTERS = ["Page 1 of 1", "Thursday, Nov 26, 2026 09:12:44 AM GMT-8 - Accrual Basis", "End of report"];
const TITLES: CellSpec[][] = [["Acme Tools, Inc."], ["Sales, November 2026"], []];

type Style = {
  isFormula: boolean;
  isHeaded: boolean;
  totals: "none" | "grand" | "customers" | "invoices";
  label: string;
  ofCustomer: (customer: string) => string;
  summed: "amounts" | "all";
  footer: string;
  above: number;
};

function layOutPage({ columns, invoices }: Body, style: Style): CellSpec[][] {
  const { isHeaded, totals } = style;
  const customerAt = columns.findIndex(({ meaning }) => meaning === "customer");
  const isGrouped = isHeaded || totals === "customers";
  const ordered = isGrouped
    ? [...Map.groupBy(invoices, ({ customer }) => customer).values()].flat()
    : invoices;
  const own = isHeaded ? columns.toSpliced(customerAt, 1) : columns;
  const headers: CellSpec[] = own.map(({ header }) => header);
  const rows: CellSpec[][] = [...TITLES.slice(0, style.above), isHeaded ? ["", ...headers] : headers];
  const lines: SumLine[] = [];
  const places = { columns: isHeaded ? [{ header: "", meaning: "none" as const }, ...own] : own, style };
  const addTotal = (label: string, from: number) =>
    rows.push(totalRow({ label, of: lines.slice(from), at: rows.length + 1 }, places));
  let [ofCustomer, ofInvoice] = [0, 0];
  ordered.forEach(({ number, customer, rows: written }, at) => {
    if (isHeaded && ordered[at - 1]?.customer !== customer) rows.push([customer]);
    for (const cells of written) {
      const row = isHeaded ? [null, ...cells.toSpliced(customerAt, 1)] : cells;
      rows.push(row);
      lines.push({ row: rows.length, cells: row });
    }
    if (totals === "invoices") addTotal(style.label && `${number} Total`, ofInvoice);
    ofInvoice = lines.length;
    if (ordered[at + 1]?.customer === customer) return;
    if (totals === "customers" || (isHeaded && style.label))
      addTotal(style.label && style.ofCustomer(customer), ofCustomer);
    ofCustomer = lines.length;
  });
  if (totals !== "none") addTotal(style.label, 0);
  if (style.footer) rows.push([], [style.footer]);
  return rows;
}

type SumLine = { row: number; cells: readonly CellSpec[] };

/** Money that programs sum below a column. */
const AMOUNTS: ReadonlySet<Meaning> = new Set<Meaning>(["gross", "net"]);
const ALL: ReadonlySet<Meaning> = new Set<Meaning>([
  ...AMOUNTS,
  "grossBefore",
  "grossWithTax",
  "lineDiscount",
  "lineTax",
  "lineShipping",
  "discount",
  "shipping",
  "fee",
  "deposit",
  "tax",
  "total",
  "balance",
  "openBalance",
  "qty",
]);

/** A row of sums, as numbers or as formulas, with a label before them or without. */
function totalRow(
  { label, of, at }: { label: string; of: readonly SumLine[]; at: number },
  { columns, style }: { columns: readonly LaidColumn[]; style: Style },
): CellSpec[] {
  const set = style.summed === "all" ? ALL : AMOUNTS;
  const cells = columns.map(({ meaning }, column): CellSpec => {
    if (!set.has(meaning)) return null;
    const cents = of.reduce((sum, { cells: row }) => sum + readCents(row[column]), 0);
    if (!style.isFormula) return cents / 100;
    const place = columnName(column);
    const formula = `SUM(${place}${of[0]?.row ?? at}:${place}${of.at(-1)?.row ?? at})`;
    return { xml: `<c r="${place}${at}"><f>${formula}</f><v>${cents / 100}</v></c>` };
  });
  if (label && cells[0] === null) cells[0] = label;
  return cells;
}

function readCents(cell: CellSpec): number {
  if (typeof cell === "number") return Math.round(cell * 100);
  return typeof cell === "string" ? Math.round(Number(cell.replace("$", "")) * 100) || 0 : 0;
}

function toCsv(table: readonly (readonly CellSpec[])[]): Uint8Array {
  const text = (value: CellSpec) => {
    if (typeof value !== "object") return value === undefined ? "" : String(value);
    return value !== null && "date" in value ? isoDay(value.date) : "";
  };
  return Buffer.from(table.map((cells) => csvLine(cells.map(text))).join(""));
}

export const isoDay = (serial: number) =>
  new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10);
