import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import type { Db } from "#platform/db/connect.ts";
import { readTrail } from "#features/labels/ledger/store-trail.ts";

const HEADS = [
  "SSCC",
  "PO Number",
  "Mark For / Store",
  "Carton",
  "Carton Count",
  "File",
  "Row",
  "Reference",
  "Made By",
  "Made At (UTC)",
  "Prints",
];

/** Every SSCC of a company as lines of a CSV file, in their order; few are in memory at once. */
export async function* exportSsccs(db: Db, realmId: string): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(HEADS)}`;
  let after = "";
  for (;;) {
    const entries = await readTrail(db, realmId, after);
    const last = entries.at(-1);
    if (!last) return;
    after = last.sscc;
    yield entries
      .map((entry) =>
        csvLine([
          entry.sscc,
          entry.poNumber,
          entry.markFor,
          String(entry.carton ?? ""),
          String(entry.cartonCount ?? ""),
          entry.fileName,
          String(entry.row),
          entry.reference,
          entry.madeBy,
          entry.madeAt.toISOString(),
          String(entry.prints),
        ]),
      )
      .join("");
  }
}
