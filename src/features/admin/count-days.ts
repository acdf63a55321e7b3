import { sql, type RawBuilder } from "kysely";
import type { Day } from "#features/admin/contract.ts";
import type { Ctx } from "#platform/ctx.ts";

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
