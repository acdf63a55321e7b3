import type { Db } from "#platform/db/connect.ts";
import type {
  ColumnMeaning,
  ListKind,
  NameChoice,
  WrittenOrder,
} from "#features/invoices/choices/contract.ts";
import type { ChoicesTables } from "#features/invoices/choices/tables.ts";
import { ALL_FIELDS, fieldHeader, type Field } from "#features/invoices/workbook/rules-fields.ts";
import type { ColumnChoice } from "#features/invoices/workbook/rules-headers.ts";

const tables = (db: Db) => db.withTables<ChoicesTables>();

type Names = Partial<Record<ListKind, Map<string, string>>>;

/** Ids by loose name that people of a company confirmed, list by list. */
export async function findNameChoices(db: Db, realmId: string): Promise<Names> {
  const rows = await tables(db)
    .selectFrom("name_choice")
    .select(["kind", "name_key", "target_id"])
    .where("realm_id", "=", realmId)
    .execute();
  const names: Names = {};
  for (const row of rows) (names[row.kind] ??= new Map()).set(row.name_key, row.target_id);
  return names;
}

export async function listNameChoices(db: Db, realmId: string): Promise<NameChoice[]> {
  const rows = await tables(db)
    .selectFrom("name_choice")
    .select(["kind", "written", "target_id", "target_name"])
    .where("realm_id", "=", realmId)
    .orderBy("kind")
    .orderBy("written")
    .execute();
  return rows.map(({ written, ...row }) => ({ ...row, text: written }));
}

type Who = { realmId: string; by: string; now: Date };

export async function saveNameChoice(db: Db, who: Who, choice: NameChoice & { key: string }): Promise<void> {
  const changed = {
    written: choice.text,
    target_id: choice.target_id,
    target_name: choice.target_name,
    chosen_by: who.by,
    chosen_at: who.now,
  };
  await tables(db)
    .insertInto("name_choice")
    .values({ realm_id: who.realmId, kind: choice.kind, name_key: choice.key, ...changed })
    .onConflict((conflict) => conflict.columns(["realm_id", "kind", "name_key"]).doUpdateSet(changed))
    .execute();
}

export async function removeNameChoice(
  db: Db,
  realmId: string,
  name: { kind: ListKind; key: string },
): Promise<void> {
  await tables(db)
    .deleteFrom("name_choice")
    .where("realm_id", "=", realmId)
    .where("kind", "=", name.kind)
    .where("name_key", "=", name.key)
    .execute();
}

/** Fields by header key that people of a company confirmed; fields of an older version are passed over. */
export async function findColumnChoices(db: Db, realmId: string): Promise<Map<string, ColumnChoice>> {
  const rows = await tables(db)
    .selectFrom("column_choice")
    .select(["header_key", "field"])
    .where("realm_id", "=", realmId)
    .execute();
  return new Map(rows.flatMap((row) => (isChoice(row.field) ? [[row.header_key, row.field] as const] : [])));
}

/** The same choices as people wrote the headers, in their order. */
export async function listColumnChoices(db: Db, realmId: string): Promise<ColumnMeaning[]> {
  const rows = await tables(db)
    .selectFrom("column_choice")
    .select(["written", "field"])
    .where("realm_id", "=", realmId)
    .orderBy("written")
    .execute();
  return rows.flatMap(({ written, field }) =>
    isChoice(field)
      ? [{ header: written, field, means: field === "ignore" ? null : fieldHeader(field) }]
      : [],
  );
}

export async function saveColumnChoice(
  db: Db,
  who: Who,
  column: { key: string; header: string; field: string },
): Promise<void> {
  const changed = { written: column.header, field: column.field, chosen_by: who.by, chosen_at: who.now };
  await tables(db)
    .insertInto("column_choice")
    .values({ realm_id: who.realmId, header_key: column.key, ...changed })
    .onConflict((conflict) => conflict.columns(["realm_id", "header_key"]).doUpdateSet(changed))
    .execute();
}

export async function removeColumnChoice(db: Db, realmId: string, key: string): Promise<void> {
  await tables(db)
    .deleteFrom("column_choice")
    .where("realm_id", "=", realmId)
    .where("header_key", "=", key)
    .execute();
}

/** How people of a company said its dates are written; null when nobody did. */
export async function findDateOrder(db: Db, realmId: string): Promise<WrittenOrder | null> {
  const row = await tables(db)
    .selectFrom("date_order_choice")
    .select("date_order")
    .where("realm_id", "=", realmId)
    .executeTakeFirst();
  return row?.date_order ?? null;
}

export async function saveDateOrder(db: Db, who: Who, order: WrittenOrder): Promise<void> {
  const changed = { date_order: order, chosen_by: who.by, chosen_at: who.now };
  await tables(db)
    .insertInto("date_order_choice")
    .values({ realm_id: who.realmId, ...changed })
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(changed))
    .execute();
}

export async function removeDateOrder(db: Db, realmId: string): Promise<void> {
  await tables(db).deleteFrom("date_order_choice").where("realm_id", "=", realmId).execute();
}

/** True for what a column can be said to mean. */
export const isChoice = (field: string): field is ColumnChoice =>
  field === "ignore" || ALL_FIELDS.includes(field as Field);
