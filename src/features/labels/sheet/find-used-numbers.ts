import { findTimeZone } from "#features/companies/index.ts";
import { problemAt, type Problem } from "#formats/table/problem.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";
import { findUsedSsccs } from "#features/labels/ledger/store.ts";
import type { ReadRows } from "#features/labels/sheet/read-rows.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

type Read = { rows: readonly LabelRow[]; columns?: ReadRows["columns"] };

/** A problem for each SSCC of a sheet's own that a label has already, with the day on which it got it. */
export async function findUsedNumbers(
  db: Db,
  realmId: string,
  { rows, columns = [] }: Read,
): Promise<Problem[]> {
  const given = new Map(rows.flatMap(({ sscc, row }) => (sscc === "" ? [] : [[sscc, row] as const])));
  const used = await findUsedSsccs(db, realmId, [...given.keys()]);
  if (used.length === 0) return [];
  const dayOf = dayIn(await findTimeZone(db, realmId));
  return used.map(({ sscc, poNumber, usedAt }) =>
    problemAt(
      { columns },
      { field: "sscc", row: given.get(sscc) ?? 0 },
      { code: "sscc_used", value: sscc, params: { poNumber, date: dayOf(usedAt) } },
    ),
  );
}
