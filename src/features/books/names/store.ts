import type { Db } from "#platform/db/connect.ts";
import type { ListKind, NameChoice } from "#features/books/names/contract.ts";

type ChoicesTables = {
  name_choice: {
    realm_id: string;
    kind: ListKind;
    name_key: string;
    written: string;
    target_id: string;
    target_name: string;
    chosen_by: string;
    chosen_at: Date;
  };
};

const tables = (db: Db) => db.withTables<ChoicesTables>();

type Names = Partial<Record<ListKind, Map<string, string>>>;

/** Finds ids by loose name that users of a company confirmed, for each list. */
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

/** Counts the names that a company has matched, except this one. */
export async function countOtherChoices(
  db: Db,
  realmId: string,
  { kind, key }: { kind: ListKind; key: string },
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom("name_choice")
    .select((each) => each.fn.countAll<number>().as("count"))
    .where("realm_id", "=", realmId)
    .where((row) => row.not(row.and([row("kind", "=", kind), row("name_key", "=", key)])))
    .executeTakeFirstOrThrow();
  return count;
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
