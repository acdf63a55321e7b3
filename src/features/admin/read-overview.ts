import { sql } from "kysely";
import type { Overview } from "#features/admin/contract.ts";
import type { ListName, Shown } from "#features/admin/lists/contract.ts";
import { LIST_SOURCES } from "#features/admin/lists/sources.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Rows are counted up to here: more are equally many to an operator. */
const MAX_COUNT = 1_000;

/** Lists with rows that an operator can retry, replay or send again. */
const OPERATOR_LISTS: readonly ListName[] = ["runs", "webhooks", "mail"];

/** Lists with problems that last until their company connects, decides or pays, or the carrier recovers. */
const CUSTOMER_LISTS: readonly ListName[] = [
  "companies",
  "tracking",
  "orders",
  "differences",
  "labels",
  "billing",
  "outgoing",
];

/** Counts the rows of each list that wait for an operator or a customer. */
export const countWaiting = async (ctx: Pick<Ctx, "db">): Promise<Overview> => ({
  waiting: await countRows(ctx, OPERATOR_LISTS, "waiting"),
  of_customers: await countRows(ctx, CUSTOMER_LISTS, "attention"),
});

async function countRows(ctx: Pick<Ctx, "db">, lists: readonly ListName[], shown: Shown) {
  const counts: Record<string, number> = {};
  for (const list of lists) counts[list] = await countList(ctx, list, shown);
  return counts;
}

/** A row that two conditions find counts once, as its list shows it. */
async function countList({ db }: Pick<Ctx, "db">, list: ListName, shown: Shown): Promise<number> {
  const { table, key, filters } = LIST_SOURCES[list];
  const found = (filters?.[shown] ?? []).map(
    (condition) => sql`(select ${key} as key from ${table} t where ${condition} limit ${MAX_COUNT})`,
  );
  if (found.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (${sql.join(found, sql` union `)}) found`.execute(db);
  return Math.min(rows[0]?.count ?? 0, MAX_COUNT);
}
