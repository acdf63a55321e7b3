import { CSV_START, csvLine } from "#formats/csv/write-csv.ts";
import type { Db } from "#platform/db/connect.ts";
import { requireUpload } from "#features/labels/ledger/find-upload.ts";
import type { NumberedCarton, UploadId } from "#features/labels/ledger/store.ts";
import { readCartons } from "#features/labels/print/render-labels.ts";
import { withoutEnding } from "#features/labels/rules-names.ts";
import type { CartonFormat } from "#features/labels/trail/contract.ts";
import { asnOf, shipmentsOf } from "#features/labels/trail/rules-asn.ts";
import { CARTON_COLUMNS } from "#features/labels/trail/rules-cartons.ts";

/**
 * What retailers want to know of the cartons of an upload before these arrive: the same numbers as on their labels.
 * @throws AppError 404 when the company has no such upload
 */
export async function exportCartons(
  { db }: { db: Db },
  id: UploadId,
  format: CartonFormat,
): Promise<{ name: string; content: AsyncGenerator<string> }> {
  const upload = await requireUpload({ db }, id);
  const of = { realmId: id.realmId, upload };
  const all = () => readCartons(db, of, [{ first: 1, last: upload.labelCount }]);
  const base = withoutEnding(upload.fileName);
  if (format === "csv") return { name: `${base} - cartons.csv`, content: csvOf(all()) };
  if (format === "json") return { name: `${base} - cartons.json`, content: jsonOf(all()) };
  const shipments = await shipmentsOf(all());
  const read = (ranges: Parameters<typeof readCartons>[2]) => readCartons(db, of, ranges);
  return { name: `${base} - 856 draft.edi`, content: asnOf({ upload, shipments, read }) };
}

async function* csvOf(cartons: AsyncIterable<NumberedCarton>): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(CARTON_COLUMNS.map(({ header }) => header))}`;
  for await (const carton of cartons)
    yield csvLine(CARTON_COLUMNS.map(({ valueOf }) => String(valueOf(carton) ?? "")));
}

async function* jsonOf(cartons: AsyncIterable<NumberedCarton>): AsyncGenerator<string> {
  yield "[";
  let isFirst = true;
  for await (const carton of cartons) {
    const entries = CARTON_COLUMNS.map(({ key, valueOf }) => [key, valueOf(carton)]);
    yield `${isFirst ? "\n" : ",\n"}${JSON.stringify(Object.fromEntries(entries))}`;
    isFirst = false;
  }
  yield "\n]\n";
}
