import { sql } from "kysely";
import type { Overview } from "#features/admin/contract.ts";
import { LIST_NAMES } from "#features/admin/lists/contract.ts";
import { LIST_SOURCES } from "#features/admin/lists/sources.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Rows are counted up to here: more are equally many to an operator. */
const MAX_COUNT = 1_000;

type Figures = Omit<Overview, "attention">;

/** Counts what was done since a time, and the rows of each list that need an operator. */
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
  const attention: Record<string, number> = {};
  for (const list of LIST_NAMES) attention[list] = await countAttention({ db }, list);
  return { ...figures, attention };
}

async function countAttention({ db }: Pick<Ctx, "db">, list: (typeof LIST_NAMES)[number]): Promise<number> {
  const { table, attention = [] } = LIST_SOURCES[list];
  let count = 0;
  for (const condition of attention) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from ${table} t where ${condition} limit ${MAX_COUNT}) found`.execute(db);
    count += rows[0]?.count ?? 0;
  }
  return count;
}
