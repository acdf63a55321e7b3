import { csvLine } from "#formats/csv/write-csv.ts";
import { fieldHeader, labelSheet } from "#features/labels/sheet.ts";
import type { ExportedLabel } from "#features/labels/uploads/store.ts";

/** Columns that are computed for each label, or have no meaning for a single one. */
const COMPUTED: readonly string[] = ["sscc", "carton", "cartonCount", "cartons"];
const ROW_FIELDS = labelSheet.names.filter((name) => !COMPUTED.includes(name));

export const SSCC_HEADERS = [
  "SSCC",
  ...ROW_FIELDS.map(fieldHeader),
  "Carton Number",
  "Carton Count",
  "Label",
  "File",
  "Row",
  "Made By",
  "Made At (UTC)",
  "Prints",
];

const cells = ({ row, ...label }: ExportedLabel) => [
  label.sscc,
  ...ROW_FIELDS.map((field) => row[field] ?? ""),
  label.carton,
  label.cartonCount,
  label.seq,
  label.fileName,
  row.row,
  label.madeBy,
  label.madeAt,
  label.prints,
];

/** Writes SSCCs as CSV. Runs in a worker thread. @param bytes each as a line of JSON */
export function run(bytes: Uint8Array): string {
  const lines = new TextDecoder().decode(bytes).split("\n").filter(Boolean);
  return lines.map((line) => writeLabel(JSON.parse(line) as ExportedLabel)).join("");
}

const writeLabel = (label: ExportedLabel) => csvLine(cells(label).map((cell) => String(cell ?? "")));
