import type { NumberedCarton } from "#features/labels/ledger/store.ts";
import { fieldHeader } from "#features/labels/sheet/rules-sheet.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

type Value = string | number | null;

/** Columns of a row that are carton data as they are; the rest is counted by us. */
const OF_ROW = [
  "poNumber",
  "shipToName",
  "address1",
  "address2",
  "city",
  "state",
  "postalCode",
  "country",
  "markFor",
  "markForName",
  "carrier",
  "pro",
  "bol",
  "department",
  "vendor",
  "item",
  "gtin",
  "model",
  "description",
  "qty",
  "weight",
  "shipDate",
  "shipFrom",
  "reference",
  "trailer",
] as const satisfies readonly (keyof LabelRow)[];

type Column = { header: string; key: string; valueOf: (carton: NumberedCarton) => Value };

/** What is exported of a carton, with names of columns and of fields. */
export const CARTON_COLUMNS: readonly Column[] = [
  { header: "SSCC", key: "sscc", valueOf: ({ sscc }) => sscc },
  ...OF_ROW.map((field) => ({
    header: fieldHeader(field),
    key: field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    valueOf: ({ row }: NumberedCarton) => row[field],
  })),
  { header: "Carton Number", key: "carton_number", valueOf: ({ carton }) => carton },
  { header: "Carton Count", key: "carton_count", valueOf: ({ cartonCount }) => cartonCount },
  { header: "Label", key: "label", valueOf: ({ seq }) => seq },
  { header: "Row", key: "row", valueOf: ({ row }) => row.row },
];
