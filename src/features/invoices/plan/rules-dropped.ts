import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import type { Field } from "#features/invoices/workbook/rules-fields.ts";
import type { BooksLists } from "#features/invoices/plan/rules-plan.ts";
import { problemAt, quote, type Problem } from "#features/invoices/workbook/rules-problems.ts";

/** Switches of a company without which QuickBooks drops fields of an invoice and says nothing. */
type Switch = "AllowShipping" | "AllowServiceDate" | "ClassTrackingPerTxnLine" | "TrackDepartments";

/** What each switches off, and where its people find it in QuickBooks. */
const SWITCHES: Record<Switch, { fields: readonly Field[]; are: string; it: string; where: string }> = {
  AllowShipping: {
    fields: ["shipVia", "shipDate", "trackingNo"],
    are: "shipping is",
    it: "it",
    where: "Sales",
  },
  AllowServiceDate: { fields: ["serviceDate"], are: "the service date is", it: "it", where: "Sales" },
  ClassTrackingPerTxnLine: {
    fields: ["className"],
    are: "classes on each row are",
    it: "them",
    where: "Advanced",
  },
  TrackDepartments: { fields: ["location"], are: "locations are", it: "them", where: "Advanced" },
};

/** Fields that QuickBooks will drop. A switch that a company never touched tells nothing. */
export function droppedFields(preferences: { [Name in Switch]?: boolean | undefined }): Field[] {
  return Object.entries(SWITCHES).flatMap(([name, { fields }]) =>
    preferences[name as Switch] === false ? fields : [],
  );
}

/** Tells once for each column with values that QuickBooks will drop them, and how to have them kept. */
export function remarkOnDropped(
  table: Table,
  { droppedFields: dropped = [], companyName }: BooksLists,
): Problem[] {
  return table.columns.flatMap(({ field, header, index }) => {
    const words = Object.values(SWITCHES).find(({ fields }) => fields.includes(field));
    const first = table.rows.find((row) => hasValue(row.cells[index]));
    if (!words || !first || !dropped.includes(field)) return [];
    const text = `QuickBooks will not keep ${quote(header)}: ${words.are} switched off for the invoices of ${companyName}. Switch ${words.it} on in QuickBooks under Account and settings, ${words.where}, or leave the column out.`;
    return [problemAt(table, { field, row: first.number }, { severity: "warning", code: "not_kept", text })];
  });
}

const hasValue = (cell: unknown) => cell !== undefined && (typeof cell !== "string" || cell.trim() !== "");
