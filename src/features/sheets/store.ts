import type { SheetKind } from "#formats/table/define-sheet.ts";
import { isMeaning } from "#formats/table/headers.ts";
import { isLayoutKey, layoutChoiceKey, USED } from "#formats/table/layouts.ts";
import { BILLED, isRowMarkKey, questionHeader } from "#formats/table/row-mark-keys.ts";
import { valueKey } from "#formats/table/one-for-all.ts";
import { sheetKey } from "#formats/table/several-sheets.ts";
import type { Db } from "#platform/db/connect.ts";
import type { ColumnMeaning, WrittenOrder } from "#features/sheets/contract.ts";

/** `kind` is the sheet description's kind. */
type Answer = { realm_id: string; kind: string; chosen_by: string; chosen_at: Date };

type SheetsTables = {
  column_choice: Answer & { written: string; header_key: string; field: string };
  date_order_choice: Answer & { date_order: WrittenOrder };
};

const tables = (db: Db) => db.withTables<SheetsTables>();

/** Company and kind of sheet that a choice belongs to. */
type ChoiceKey = { realmId: string; kind: string };
type Chooser = ChoiceKey & { by: string; now: Date };

/** Finds the column meanings that users of a company confirmed, by header key. */
export async function findColumnChoices(db: Db, { realmId, kind }: ChoiceKey): Promise<Map<string, string>> {
  const rows = await tables(db)
    .selectFrom("column_choice")
    .select(["header_key", "field"])
    .where("realm_id", "=", realmId)
    .where("kind", "=", kind)
    .execute();
  return new Map(rows.map((row) => [row.header_key, row.field]));
}

/** Finds who chose each of them, their email, and when. */
export async function findColumnChoosers(
  db: Db,
  { realmId, kind }: ChoiceKey,
): Promise<Map<string, { by: string; at: Date }>> {
  const rows = await tables(db)
    .selectFrom("column_choice")
    .select(["header_key", "chosen_by", "chosen_at"])
    .where("realm_id", "=", realmId)
    .where("kind", "=", kind)
    .execute();
  return new Map(
    rows.map(({ header_key, chosen_by, chosen_at }) => [header_key, { by: chosen_by, at: chosen_at }]),
  );
}

/** Lists the same choices with headers as written, in alphabetical order; skips fields of an older version. */
export async function listColumnChoices(
  db: Db,
  realmId: string,
  sheet: SheetKind,
): Promise<{
  columns: ColumnMeaning[];
  sheets: string[];
  values: { field: string; header: string; value: string }[];
  row_marks: { of: string; header: string; value: string; is_billed: boolean; files_like: string }[];
  layouts: { name: string; title: string; is_used: boolean }[];
}> {
  const rows = await tables(db)
    .selectFrom("column_choice")
    .select(["header_key", "written", "field"])
    .where("realm_id", "=", realmId)
    .where("kind", "=", sheet.kind)
    .orderBy("written")
    .execute();
  const isSheet = (row: (typeof rows)[number]) => row.header_key === sheetKey(row.written);
  const isValue = (row: (typeof rows)[number]) => row.header_key === valueKey(row.written);
  const columns = rows.flatMap((row): ColumnMeaning[] => {
    const { written, field } = row;
    if (isSheet(row) || isValue(row) || isRowMarkKey(row.header_key)) return [];
    if (isLayoutKey(row.header_key) || !isMeaning(sheet, field)) return [];
    return [{ header: written, field, means: sheet.fields[field]?.header ?? null }];
  });
  const values = rows.filter(isValue).map(({ written, field }) => ({
    field: written,
    header: sheet.fields[written]?.header ?? written,
    value: field,
  }));
  const layouts = (sheet.layouts ?? []).flatMap(({ name, title }) => {
    const row = rows.find(({ header_key }) => header_key === layoutChoiceKey(name));
    return row ? [{ name, title, is_used: row.field === USED }] : [];
  });
  const row_marks = rows
    .filter(({ header_key }) => isRowMarkKey(header_key))
    .map(({ written, field }) => {
      const [of, value, files] = JSON.parse(written) as [string, string, string];
      return { of, header: questionHeader(of), value, is_billed: field === BILLED, files_like: files };
    })
    .toSorted((a, b) => a.header.localeCompare(b.header) || a.files_like.localeCompare(b.files_like));
  return { columns, sheets: rows.filter(isSheet).map(({ written }) => written), values, row_marks, layouts };
}

/** Counts the columns that a company has matched, of all kinds of sheets. */
export async function countColumnChoices(db: Db, realmId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom("column_choice")
    .select((each) => each.fn.countAll<number>().as("count"))
    .where("realm_id", "=", realmId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function saveColumnChoice(
  db: Db,
  who: Chooser,
  column: { key: string; header: string; field: string },
): Promise<void> {
  const changed = { written: column.header, field: column.field, chosen_by: who.by, chosen_at: who.now };
  await tables(db)
    .insertInto("column_choice")
    .values({ realm_id: who.realmId, kind: who.kind, header_key: column.key, ...changed })
    .onConflict((conflict) => conflict.columns(["realm_id", "kind", "header_key"]).doUpdateSet(changed))
    .execute();
}

export async function removeColumnChoice(db: Db, { realmId, kind }: ChoiceKey, key: string): Promise<void> {
  await tables(db)
    .deleteFrom("column_choice")
    .where("realm_id", "=", realmId)
    .where("kind", "=", kind)
    .where("header_key", "=", key)
    .execute();
}

/** Deletes whether a layout is used, and all meanings of columns in it. @param key of the former */
export async function removeLayoutChoices(db: Db, { realmId, kind }: ChoiceKey, key: string): Promise<void> {
  await tables(db)
    .deleteFrom("column_choice")
    .where("realm_id", "=", realmId)
    .where("kind", "=", kind)
    .where((each) => each.or([each("header_key", "=", key), each("header_key", "like", `${key}!%`)]))
    .execute();
}

/** Finds the date order that a user of the company chose for a kind of sheet; null if none. */
export async function findDateOrder(db: Db, { realmId, kind }: ChoiceKey): Promise<WrittenOrder | null> {
  const row = await tables(db)
    .selectFrom("date_order_choice")
    .select("date_order")
    .where("realm_id", "=", realmId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row?.date_order ?? null;
}

export async function saveDateOrder(db: Db, who: Chooser, order: WrittenOrder): Promise<void> {
  const changed = { date_order: order, chosen_by: who.by, chosen_at: who.now };
  await tables(db)
    .insertInto("date_order_choice")
    .values({ realm_id: who.realmId, kind: who.kind, ...changed })
    .onConflict((conflict) => conflict.columns(["realm_id", "kind"]).doUpdateSet(changed))
    .execute();
}

export async function removeDateOrder(db: Db, { realmId, kind }: ChoiceKey): Promise<void> {
  await tables(db)
    .deleteFrom("date_order_choice")
    .where("realm_id", "=", realmId)
    .where("kind", "=", kind)
    .execute();
}
