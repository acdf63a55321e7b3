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

type Figures = Omit<Overview, "waiting" | "of_customers">;

/** Counts what was done since a time, and the rows of each list that wait for an operator or a customer. */
export async function countToday({ db }: Ctx, since: Date): Promise<Overview> {
  const { rows } = await sql<Figures>`select
      coalesce((select sum((summary -> 'invoices' ->> 'posted')::int) from upload where uploaded_at >= ${since}), 0)::int
        as invoices,
      coalesce((select sum((summary -> 'invoices' ->> 'amount')::numeric * 100) from upload where uploaded_at >= ${since}
        and summary -> 'invoices' -> 'currencies' <@ '["USD"]'), 0)::bigint as invoice_cents,
      (coalesce((select sum(label_count) from label_upload where uploaded_at >= ${since}), 0)
        + coalesce((select sum(jsonb_array_length(cartons)) from shipment where requested_at >= ${since}
          and made_at is not null), 0))::int as labels,
      (select count(*) from tracking_write where settled_at >= ${since} and state = 'done' and operation = 'attach')::int
        as deliveries`.execute(db);
  const [figures] = rows;
  if (!figures) throw new Error("The counts have no row.");
  return {
    ...figures,
    waiting: await countRows({ db }, OF_OPERATORS, "waiting"),
    of_customers: await countRows({ db }, OF_CUSTOMERS, "attention"),
  };
}

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
