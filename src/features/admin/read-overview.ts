import { sql, type RawBuilder } from "kysely";
import type { Overview, Day } from "#features/admin/contract.ts";
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

const NONE: Day = { invoices: 0, invoice_cents: 0, labels: 0, deliveries: 0, errors: 0 };

/** Rows that are counted, each with its kind: `at` is their time, the others are added up. Each is read by an index. */
const sourcesOf = (since: Date): RawBuilder<unknown>[] => [
  sql`select uploaded_at as at, (summary -> 'invoices' ->> 'posted')::int as invoices,
      case when summary -> 'invoices' -> 'currencies' <@ '["USD"]'
        then ((summary -> 'invoices' ->> 'amount')::numeric * 100)::bigint end as invoice_cents,
      0 as labels, 0 as deliveries, 0 as errors
    from upload where uploaded_at >= ${since}`,
  sql`select uploaded_at, 0, 0, label_count, 0, 0 from label_upload where uploaded_at >= ${since}`,
  sql`select requested_at, 0, 0, jsonb_array_length(cartons), 0, 0 from shipment
    where requested_at >= ${since} and made_at is not null`,
  sql`select settled_at, 0, 0, 0, 1, 0 from tracking_write
    where settled_at >= ${since} and state = 'done' and operation = 'attach'`,
  sql`select received_at, 0, 0, 0, 0, 1 from error_report where received_at >= ${since}`,
];

/** Counts what was done on each day. @param starts when each begins, in order; the last one is open */
export async function countDays({ db }: Pick<Ctx, "db">, starts: readonly Date[]): Promise<Day[]> {
  const [since] = starts;
  if (!since) return [];
  const { rows } = await sql<
    Day & { at: number }
  >`select width_bucket(at, ${[...starts]}::timestamptz[]) - 1 as at,
      coalesce(sum(invoices), 0)::int as invoices, coalesce(sum(invoice_cents), 0)::bigint as invoice_cents,
      coalesce(sum(labels), 0)::int as labels, sum(deliveries)::int as deliveries, sum(errors)::int as errors
    from (${sql.join(sourcesOf(since), sql` union all `)}) done group by 1`.execute(db);
  const found = new Map(rows.map(({ at, ...day }) => [at, day]));
  return starts.map((_start, at) => found.get(at) ?? NONE);
}
