import { sql } from "kysely";
import type { Overview } from "#features/admin/contract.ts";
import type { ListName, Shown } from "#features/admin/lists/contract.ts";
import { LIST_SOURCES } from "#features/admin/lists/sources.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Rows are counted up to here: more are equally many to an operator. */
const MAX_COUNT = 1_000;

/** Lists with rows that an operator can retry, replay or send again. */
const OF_OPERATORS: readonly ListName[] = ["runs", "webhooks", "mail"];

/** Lists with problems that last until their company connects, decides or pays, or the weather changes. */
const OF_CUSTOMERS: readonly ListName[] = [
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
  waiting: await countRows(ctx, OF_OPERATORS, "waiting"),
  of_customers: await countRows(ctx, OF_CUSTOMERS, "attention"),
});

async function countRows(ctx: Pick<Ctx, "db">, lists: readonly ListName[], shown: Shown) {
  const counts: Record<string, number> = {};
  for (const list of lists) counts[list] = await countList(ctx, list, shown);
  return counts;
}

async function countList({ db }: Pick<Ctx, "db">, list: ListName, shown: Shown): Promise<number> {
  const { table, filters } = LIST_SOURCES[list];
  let count = 0;
  for (const condition of filters?.[shown] ?? []) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from ${table} t where ${condition} limit ${MAX_COUNT}) found`.execute(db);
    count += rows[0]?.count ?? 0;
  }
  return count;
}
