import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import type { Db } from "#platform/db/connect.ts";
import { fieldHeader, labelSheet } from "#features/labels/sheet.ts";
import { readExport, type ExportedLabel } from "#features/labels/uploads/store.ts";

/** Columns that are computed for each label, or meaningless for a single one. */
const COMPUTED: readonly string[] = ["sscc", "carton", "cartonCount", "cartons"];
const OF_ROW = labelSheet.names.filter((name) => !COMPUTED.includes(name));

const HEADERS = [
  "SSCC",
  ...OF_ROW.map(fieldHeader),
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
  ...OF_ROW.map((field) => row[field] ?? ""),
  label.carton,
  label.cartonCount,
  label.seq,
  label.fileName,
  row.row,
  label.madeBy,
  label.madeAt.toISOString(),
  label.prints,
];

/** Writes every SSCC of a company, or of one upload, as a CSV stream. */
export async function* exportSsccs(
  db: Db,
  of: { realmId: string; uploadId: string | null },
): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(HEADERS)}`;
  for (let after = ""; ;) {
    const labels = await readExport(db, { ...of, after });
    const last = labels.at(-1);
    if (!last) return;
    yield labels.map((label) => csvLine(cells(label).map((cell) => String(cell ?? "")))).join("");
    after = last.sscc;
  }
}
