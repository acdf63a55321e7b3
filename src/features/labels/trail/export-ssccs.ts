import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import { streamWorkbook } from "#formats/xlsx/write-workbook.ts";
import type { Db } from "#platform/db/connect.ts";
import { readTrail, type TrailEntry } from "#features/labels/ledger/store-trail.ts";

const COLUMNS = [
  { header: "SSCC", width: 22 },
  { header: "PO Number" },
  { header: "Mark For / Store" },
  { header: "Carton" },
  { header: "Carton Count" },
  { header: "File", width: 24 },
  { header: "Row" },
  { header: "Reference" },
  { header: "Made By", width: 24 },
  { header: "Made At (UTC)", width: 26 },
  { header: "Prints" },
];

const cellsOf = (entry: TrailEntry) => [
  entry.sscc,
  entry.poNumber,
  entry.markFor,
  entry.carton,
  entry.cartonCount,
  entry.fileName,
  entry.row,
  entry.reference,
  entry.madeBy,
  entry.madeAt.toISOString(),
  entry.prints,
];

/** Every SSCC of a company as lines of a CSV file, in their order; few are in memory at once. */
export async function* exportSsccs(db: Db, realmId: string): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(COLUMNS.map(({ header }) => header))}`;
  for await (const entries of readInParts(db, realmId))
    yield entries.map((entry) => csvLine(cellsOf(entry).map((cell) => String(cell ?? "")))).join("");
}

/** The same as a workbook. */
export function exportSsccWorkbook(db: Db, realmId: string): AsyncGenerator<Uint8Array> {
  const rows = async function* () {
    for await (const entries of readInParts(db, realmId)) yield* entries.map(cellsOf);
  };
  return streamWorkbook("SSCCs", COLUMNS, rows());
}

async function* readInParts(db: Db, realmId: string): AsyncGenerator<TrailEntry[]> {
  let after = "";
  for (;;) {
    const entries = await readTrail(db, realmId, after);
    const last = entries.at(-1);
    if (!last) return;
    after = last.sscc;
    yield entries;
  }
}
